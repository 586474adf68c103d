#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Decides conformance and reachability by brute force, from the definitions.

Sets of states of a specification are bit masks. Nothing here is clever, and
nothing is shared with the program under test.
"""

import collections
import functools

from automaton import TooLarge
from machine import Machine
from processes import allows, is_return

STATE_LIMIT = 4000
TREE_LIMIT = 300  # Nodes that are judged.


class System:
    """The reachable part of a procedure: moves[state] = [(label, state)]."""

    def __init__(self, machine, limit=STATE_LIMIT):
        first = machine.initial()
        numbers, queue = {first: 0}, [first]
        self.moves = []
        for state in queue:
            moves = set()
            if state != "returned":
                for label, target in machine.expand(state):
                    if target not in numbers:
                        numbers[target] = len(numbers)
                        queue.append(target)
                    moves.add((label, numbers[target]))
            if len(queue) > limit:
                raise TooLarge
            self.moves.append(sorted(moves, key=repr) if len(moves) > 1
                              else list(moves))

    @functools.cached_property
    def labels(self):
        return {label for moves in self.moves for label, _ in moves
                if label is not None}

    @functools.cached_property
    def before(self):
        """The states from which a move leads to a state."""
        result = [[] for _ in self.moves]
        for state, moves in enumerate(self.moves):
            for _, target in moves:
                result[target].append(state)
        return result

    def closure(self, states):
        """With all that is reached silently, as a frozen set."""
        seen, stack = set(states), list(states)
        while stack:
            for label, target in self.moves[stack.pop()]:
                if label is None and target not in seen:
                    seen.add(target)
                    stack.append(target)
        return frozenset(seen)

    def seen_by(self, process):
        """As a specification sees it: what it does not mention is silent."""
        actions, returns = process.actions(), process.returns()

        def view(label):
            if not isinstance(label, tuple):
                return label if label in actions else None
            if not returns:
                return None
            if label[1] is None:
                return "return"
            return tuple(allows(r, label[1]) for r in returns)

        views = {label: view(label) for label in self.labels}
        views[None] = None
        result = System.__new__(System)
        result.moves = [[(views[label], target) for label, target in moves]
                        for moves in self.moves]
        return result


class Specification:
    """A process as masks of states; returns are matched by their classes."""

    def __init__(self, process):
        self.process = process
        self.conditions = process.returns()
        self.silent = [1 << s for s in range(process.size)]
        changed = True
        while changed:
            changed = False
            for source, label, target in process.moves:
                if label == "tau":
                    for s in range(process.size):
                        if (self.silent[s] >> source & 1
                                and not self.silent[s] >> target & 1):
                            self.silent[s] |= self.silent[target]
                            changed = True
        self.rows = {}

    def matches(self, mine, seen):
        if isinstance(seen, tuple):
            return is_return(mine) and seen[self.conditions.index(mine)]
        return mine == seen

    def after(self, state, label):
        """The states after tau* label tau*; label None means tau*."""
        if label is None:
            return self.silent[state]
        key = (state, label)
        if key not in self.rows:
            result = 0
            for source, mine, target in self.process.moves:
                if self.silent[state] >> source & 1 and \
                        self.matches(mine, label):
                    result |= self.silent[target]
            self.rows[key] = result
        return self.rows[key]

    def after_all(self, mask, label):
        result = 0
        for state in range(self.process.size):
            if mask >> state & 1:
                result |= self.after(state, label)
        return result


def simulated(system, specification):
    """Whether the first state is weakly simulated: a greatest fixpoint."""
    seen = system.seen_by(specification.process)
    size = specification.process.size
    relation = [(1 << size) - 1] * len(seen.moves)
    answering = {}  # From where a label leads to one of some states.
    work = collections.deque(reversed(range(len(seen.moves))))
    waiting = [True] * len(seen.moves)
    while work:
        state = work.popleft()
        waiting[state] = False
        left = relation[state]
        for label, target in seen.moves[state]:
            key = label, relation[target]
            if key not in answering:
                answering[key] = sum(
                    1 << q for q in range(size)
                    if specification.after(q, label) & relation[target])
            left &= answering[key]
        if left != relation[state]:
            relation[state] = left
            for source in system.before[state]:
                if not waiting[source]:
                    waiting[source] = True
                    work.append(source)
    return bool(relation[0] & 1)


def missing_trace(system, specification):
    """A shortest weak trace that the specification lacks, or None."""
    seen = system.seen_by(specification.process)
    first = (0, specification.silent[0])
    reached, work = {first: None}, collections.deque([(first, 0)])
    while work:
        position, _ = work.popleft()
        state, mask = position
        for label, target in seen.moves[state]:
            following = (target, mask if label is None
                         else specification.after_all(mask, label))
            if following in reached:
                continue
            reached[following] = (position, label)
            if not following[1]:
                return _path(reached, following)
            if label is None:
                work.appendleft((following, 0))
            else:
                work.append((following, 0))
    return None


def _path(reached, position):
    labels = []
    while reached[position] is not None:
        position, label = reached[position]
        if label is not None:
            labels.append(label)
    return labels[::-1]


class Answer:
    """What is true of a procedure and one arm of its specification."""

    def __init__(self, unit, case, arm, main=False, system=None):
        """`system`: what the procedure does, if that is known."""
        self.process = arm[1]
        self.system = system or System(Machine(unit, case, arm, main))
        self.specification = Specification(self.process)
        self.simulated = simulated(self.system, self.specification)
        self.missing = missing_trace(self.system, self.specification)

    @property
    def contained(self):
        return self.missing is None

    def judge(self, actions):
        """What is wrong with a counterexample to trace containment, or None.

        Actions that the specification does not mention may be left out. A
        return may name its value or its class.
        """
        seen = self.system.seen_by(self.process)
        mentioned = self.process.actions()
        states, mask = seen.closure([0]), self.specification.silent[0]
        for i, action in enumerate(actions):
            if action.startswith("return"):
                return self.judge_return(action, states, mask,
                                         i == len(actions) - 1)
            if action not in mentioned:
                continue
            states = seen.closure({t for s in states
                                   for label, t in seen.moves[s]
                                   if label == action})
            if not states:
                return f"the program cannot do {action} there"
            mask = self.specification.after_all(mask, action)
            if not mask:
                return None if i == len(actions) - 1 else \
                    f"it goes on after the violation by {action}"
        return "the specification has this trace"

    def judge_return(self, action, states, mask, last):
        if not last:
            return "something follows a return"
        labels = {label for s in states for label, _ in self.system.moves[s]
                  if isinstance(label, tuple)}
        if not labels:
            return "the program cannot return there"
        value = action[len("return["):-1]
        if value.lstrip("-").isdigit():
            labels = {x for x in labels if x[1] == int(value)}
            if not labels:
                return f"the program cannot return {value} there"
        for _, value in labels:
            label = "return" if value is None else tuple(
                allows(r, value) for r in self.specification.conditions)
            if not self.specification.after_all(mask, label):
                return None
        return f"the specification allows {action} there"

    def judge_tree(self, nodes):
        """What is wrong with a winning strategy of the simulation game, or
        None. nodes[i] is (challenge, [children]); the first is the root.

        A node wins if the program can do its challenge so that against each
        answer a child wins from where both are then: without answers, at once.
        """
        if len(nodes) > TREE_LIMIT:
            return None
        seen = self.system.seen_by(self.process)
        known = {}

        def wins(node, state, q):
            key = node, state, q
            if key not in known:
                challenge, children = nodes[node]
                known[key] = any(
                    all(any(wins(c, target, answer) for c in children)
                        for answer in self.answers(q, label))
                    for label, target in self.doing(seen, state, challenge))
            return known[key]

        return None if wins(0, 0, 0) else "this strategy does not win"

    def answers(self, q, label):
        """A silent challenge is answered by staying: that is the best."""
        if label is None:
            return [q]
        mask = self.specification.after(q, label)
        return [s for s in range(self.process.size) if mask >> s & 1]

    def doing(self, seen, state, challenge):
        """The ways to do a challenge: labels, as the specification sees them,
        and states."""
        for s in seen.closure([state]):
            if challenge == "tau":
                yield None, s
                continue
            for (label, target), (raw, _) in zip(seen.moves[s],
                                                 self.system.moves[s]):
                if label is None:
                    continue
                if not isinstance(raw, tuple):
                    matches = raw == challenge
                else:
                    value = challenge[len("return["):-1]
                    matches = challenge.startswith("return") and (
                        not value.lstrip("-").isdigit() or raw[1] == int(value))
                if matches:
                    yield label, target


def error_reached(unit, case, main=False):
    """Whether some run of a procedure calls reach_error."""
    system = System(Machine(unit, case, None, main))
    return "error" in system.labels
