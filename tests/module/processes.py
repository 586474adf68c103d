# SPDX-License-Identifier: Apache-2.0
"""What may happen at the border of a module: random processes, and monitors.

Events are tuples:

  ("call", f)   ("return", f, value)   ("error",)

The value is None where it is not looked at. A monitor follows events: `step`
gives its next state, FAIL where the events are what it looks for, or DEAD where
they never will be.
"""

import re

FAIL = "fail"
DEAD = "dead"


class Errors:
    """Looks for errors."""

    initial = 0

    def step(self, state, event):
        return FAIL if event[0] == "error" else state


def matches(label, event):
    """Labels are events, with a range (low, high) or None for the value."""
    if label[:2] != event[:2]:
        return False
    if label[0] == "call" or label[2] is None:
        return True
    return event[2] is not None and label[2][0] <= event[2] <= label[2][1]


class Process:
    """A process as in `verify module : P`; looks for what it does not allow.

    Its states are numbers, and the states of the monitor sets of them.
    """

    def __init__(self, rng, module, max_states):
        self.rng = rng
        labels = [("call", f) for f in module.functions]
        for f in module.functions:
            labels += [("return", f, self.values()) for _ in range(2)]
        if module.asks:
            labels += [("call", "ask"), ("return", "ask", None)]
        self.alphabet = set(rng.sample(labels, min(len(labels), rng.randint(1, 4))))
        self.steps = [set() for _ in range(rng.randint(1, max_states))]
        for state in range(len(self.steps)):
            for label in sorted(self.alphabet, key=str):
                if rng.random() < 0.9:
                    self.add(state, label)
                if rng.random() < 0.15:
                    self.add(state, label)
        if rng.random() < 0.2:
            self.add(rng.randrange(len(self.steps)), ("tau",))
        self.refused = set()  # Pairs of a set of states and an event.
        self.initial = self.closure({0})

    def values(self):
        low = self.rng.randrange(4)
        return self.rng.choice([None, (low, low),
                                (low, self.rng.randint(low, 3))])

    def add(self, state, label):
        self.steps[state].add((label, self.rng.randrange(len(self.steps))))

    def closure(self, states):
        seen, left = set(states), list(states)
        while left:
            for label, to in self.steps[left.pop()]:
                if label == ("tau",) and to not in seen:
                    seen.add(to)
                    left.append(to)
        return frozenset(seen)

    def constrains(self, event):
        return any(label[:2] == event[:2] for label in self.alphabet)

    def step(self, states, event):
        if not self.constrains(event):
            return states
        after = {to for state in states for label, to in self.steps[state]
                 if matches(label, event)}
        if not after:
            self.refused.add((states, event))
            return FAIL
        return self.closure(after)

    def allow(self, states, event):
        """Adds a step with an event that was refused."""
        fitting = [x for x in self.alphabet if matches(x, event)]
        if not fitting:
            fitting = [("return", event[1], None)]
            self.alphabet.add(fitting[0])
        self.add(self.rng.choice(sorted(states)),
                 self.rng.choice(sorted(fitting, key=str)))
        self.refused.clear()

    def text(self):
        processes = []
        for state, steps in enumerate(self.steps):
            arms = [f"{label_text(label)} -> S{to}"
                    for label, to in sorted(steps, key=str)]
            processes.append(f"S{state} = " + (
                f"({' | '.join(arms)})" if arms else "STOP"))
        alphabet = ", ".join(sorted(map(label_text, self.alphabet)))
        return ("P = S0,\n" + ",\n".join(processes) +
                f"\n+ {{{alphabet}}}.\nverify module : P;\n")


def label_text(label):
    if label[0] == "call":
        return f"call.{label[1]}"
    if label[0] == "tau":
        return "tau"
    if label[2] is None:
        return f"{label[1]}.return[_]"
    low, high = label[2]
    return f"{label[1]}.return[{low}]" if low == high else (
        f"{label[1]}.return[{low}..{high}]")


class Word:
    """Looks for the actions of a counterexample."""

    initial = 0

    def __init__(self, process, actions):
        self.process = process
        self.actions = actions

    def step(self, at, event):
        if not self.process.constrains(event):
            return at
        if not self.is_action(self.actions[at], event):
            return DEAD
        return FAIL if at + 1 == len(self.actions) else at + 1

    def is_action(self, action, event):
        if event[0] == "call":
            return action == f"call.{event[1]}"
        name, _, value = action.partition(".return")
        return name == event[1] and self.is_value(value, event)

    def is_value(self, text, event):
        if event[2] is None or text == "[_]":
            return True
        if text == " of another value":
            return not any(matches(x, event) for x in self.process.alphabet)
        if text.startswith("{"):  # C, of conjunctions and negations only.
            return eval(re.sub(r"!(?!=)", " not ", text[1:-1])
                        .replace("&&", "and").replace("||", "or"),
                        {"result": event[2]})
        low, _, high = text.strip("[]").partition("..")
        return int(low) <= event[2] <= int(high or low)
