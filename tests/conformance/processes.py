#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Specifications of the conformance test: small processes and their text.

A label is the text of an action, "tau", "return" (of a void procedure), or a
condition on the value that is returned, as a tuple:

    ("value", k)      return[k]           ("range", low, high)  return[low..high]
    ("any",)          return[_]           ("test", op, k)  return{result op k}
    ("bits", m, k)    return{(result & m) == k}
"""

import dataclasses
import operator

TESTS = {"<": operator.lt, "<=": operator.le, ">": operator.gt,
         ">=": operator.ge, "==": operator.eq, "!=": operator.ne}


def allows(condition, value):
    """Whether a return condition covers a value."""
    kind = condition[0]
    if kind == "value":
        return value == condition[1]
    if kind == "any":
        return True
    if kind == "range":
        return condition[1] <= value <= condition[2]
    if kind == "test":
        return TESTS[condition[1]](value, condition[2])
    return value & condition[1] == condition[2]


def label_text(label):
    if isinstance(label, str):
        return label
    kind = label[0]
    if kind == "value":
        return f"return[{label[1]}]"
    if kind == "any":
        return "return[_]"
    if kind == "range":
        return f"return[{label[1]}..{label[2]}]"
    if kind == "test":
        return f"return{{result {label[1]} {label[2]}}}"
    return f"return{{(result & {label[1]}) == {label[2]}}}"


def is_return(label):
    return label == "return" or isinstance(label, tuple)


@dataclasses.dataclass
class Process:
    """State 0 is the first. `extension` adds to the alphabet."""
    name: str
    size: int
    moves: list  # (state, label, state)
    extension: list = dataclasses.field(default_factory=list)
    in_place: bool = False
    hidden: bool = False  # Write silent steps as a hidden action.

    def actions(self):
        """The visible actions of the alphabet, without returns."""
        labels = [label for _, label, _ in self.moves] + self.extension
        return {label for label in labels
                if not is_return(label) and label != "tau"}

    def returns(self):
        """The return conditions that are mentioned, each once, in order."""
        labels = [label for _, label, _ in self.moves] + self.extension
        return list(dict.fromkeys(x for x in labels if is_return(x)))

    def deterministic(self):
        """No silent steps, and no two moves from a state on one action."""
        seen = set()
        for state, label, _ in self.moves:
            if label == "tau" or (state, label) in seen:
                return False
            seen.add((state, label))
        return not any(isinstance(x, tuple) for x in self.returns()[1:])

    def trimmed(self):
        """Without the states that cannot be reached."""
        number, queue = {0: 0}, [0]
        for state in queue:
            for source, _, target in self.moves:
                if source == state and target not in number:
                    number[target] = len(number)
                    queue.append(target)
        return dataclasses.replace(
            self, size=len(number),
            moves=[(number[s], label, number[t])
                   for s, label, t in self.moves if s in number])

    # Text.

    def cyclic(self):
        reach = {s: {t for f, _, t in self.moves if f == s}
                 for s in range(self.size)}
        for middle in reach:
            for s in reach:
                if middle in reach[s]:
                    reach[s] |= reach[middle]
        return any(s in reach[s] for s in reach)

    def nested(self, state, shown):
        branches = [f"{shown(label)} -> {self.nested(target, shown)}"
                    for source, label, target in self.moves if source == state]
        return f"({' | '.join(branches)})" if branches else "STOP"

    def place(self):
        """As an expression, for processes without loops."""
        return self.nested(0, label_text)

    def can_be_in_place(self):
        return (not self.cyclic() and not self.extension and not self.hidden
                and len(self.moves) in range(1, 7)
                and len(self.place()) < 200)

    def definition(self):
        """As definitions of FSP."""
        def shown(label):
            return "hid" if label == "tau" and self.hidden else \
                label_text(label)
        parts = [f"{self.name} = Q0"]
        for state in range(self.size):
            branches = [f"{shown(label)} -> Q{target}"
                        for source, label, target in self.moves
                        if source == state]
            body = f"({' | '.join(branches)})" if branches else "STOP"
            parts.append(f"Q{state} = {body}")
        text = ",\n  ".join(parts)
        if self.extension:
            text += f"\n  + {{{', '.join(map(label_text, self.extension))}}}"
        if self.hidden:
            text += " \\{hid}"
        return text + ".\n"
