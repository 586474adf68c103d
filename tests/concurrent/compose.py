# SPDX-License-Identifier: Apache-2.0
"""Composition in the manner of CSP, and what can be asked about it, by the
definitions and by visiting every state."""

import collections

from components import TAU

LIMIT = 60_000


class TooLarge(Exception):
    """There are more states than a test has time for."""


class Composition:
    """`parts`: (start, rows, ended), `names`: for each the names of its labels,
    `alphabets`: for each the names that it takes part in."""

    def __init__(self, parts, names, alphabets):
        self.parts = parts
        self.names = names
        self.alphabets = alphabets
        self.rows = {}
        self.start = tuple(part[0] for part in parts)

    def steps(self, state):
        if state not in self.rows:
            if len(self.rows) > LIMIT:
                raise TooLarge
            self.rows[state] = self.find_steps(state)
        return self.rows[state]

    def find_steps(self, state):
        offers = []
        found = set()
        for i, (_, rows, _) in enumerate(self.parts):
            own = collections.defaultdict(set)
            for label, to in rows[state[i]]:
                if label == TAU:
                    found.add((TAU, state[:i] + (to,) + state[i + 1:]))
                else:
                    for name in self.names[i].get(label, [label]):
                        own[name].add(to)
            offers.append(own)
        for name in {name for own in offers for name in own}:
            together = [i for i, known in enumerate(self.alphabets)
                        if name in known]
            if not all(name in offers[i] for i in together):
                continue
            targets = [state]
            for i in together:
                targets = [old[:i] + (to,) + old[i + 1:] for old in targets
                           for to in offers[i][name]]
            found |= {(name, to) for to in targets}
        return sorted(found, key=str)

    def deadlocks(self, state):
        return not self.steps(state) and not all(
            ended[at] for at, (_, _, ended) in zip(state, self.parts))

    def states(self):
        seen = {self.start}
        open_ = [self.start]
        for state in open_:
            yield state
            for _, to in self.steps(state):
                if to not in seen:
                    seen.add(to)
                    open_.append(to)

    def has_deadlock(self):
        return any(self.deadlocks(state) for state in self.states())


class Spec:
    """`rows`: for each state its (label, target), 0 is the start."""

    def __init__(self, rows, alphabet):
        self.rows = rows
        self.alphabet = alphabet

    def after(self, states, label):
        return frozenset(to for state in states
                         for name, to in self.rows[state] if name == label)


def is_included(system, spec):
    """Whether the specification has all weak traces of the system."""
    start = (system.start, frozenset([0]))
    seen = {start}
    open_ = [start]
    for state, allowed in open_:
        if len(seen) > 3 * LIMIT:
            raise TooLarge
        for label, to in system.steps(state):
            if label in spec.alphabet:
                then = spec.after(allowed, label)
                if not then:
                    return False
            else:
                then = allowed
            if (to, then) not in seen:
                seen.add((to, then))
                open_.append((to, then))
    return True


def is_simulated(system, spec):
    """Whether the specification, which has no silent steps, simulates it."""
    states = list(system.states())
    if len(states) * len(spec.rows) > 4 * LIMIT:
        raise TooLarge
    wins = {(state, s) for state in states for s in range(len(spec.rows))}
    while True:
        lost = set()
        for state, s in wins:
            for label, to in system.steps(state):
                answers = ([t for name, t in spec.rows[s] if name == label]
                           if label in spec.alphabet else [s])
                if not any((to, t) in wins for t in answers):
                    lost.add((state, s))
                    break
        if not lost:
            return (system.start, 0) in wins
        wins -= lost


def closure(system, states, hidden):
    """All that is reached by silent steps and by labels that are hidden."""
    seen = set(states)
    open_ = list(states)
    for state in open_:
        for label, to in system.steps(state):
            if (label == TAU or hidden(label)) and to not in seen:
                seen.add(to)
                open_.append(to)
    return seen


def has_trace(system, actions, hidden):
    """The states after a trace; none if the system does not have it."""
    states = closure(system, {system.start}, hidden)
    for action in actions:
        states = closure(system, {to for state in states
                                  for label, to in system.steps(state)
                                  if label == action}, hidden)
    return states


def offends(spec, actions):
    """Whether the last action is the first that is not allowed."""
    states = frozenset([0])
    for action in actions[:-1]:
        states = spec.after(states, action)
        if not states:
            return False
    return bool(actions) and not spec.after(states, actions[-1])
