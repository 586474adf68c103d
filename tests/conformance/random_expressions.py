#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes random expressions and conditions."""

from language import TYPES

COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]


def num(value, kind="int"):
    return ["num", value, kind]


def var(name):
    return ["var", name]


class Expressions:
    """Random expressions over the places that are visible."""

    def __init__(self, rng, places, pointers):
        self.rng = rng
        self.places = places  # (place, type)
        self.pointers = pointers  # (name, type pointed to)
        self.recent = None  # The place that was assigned to last.

    def place(self):
        """A place to read, rather often what has just been written."""
        if self.recent and self.rng.random() < 0.4:
            return self.recent
        return self.rng.choice(self.places)[0]

    def constant(self):
        r = self.rng
        if r.random() < 0.9:
            value = r.randint(-2, 5)
        else:
            value = r.choice([7, 8, 127, 128, 255, 256, -128, 65535])
        if value >= 0 and r.random() < 0.15:
            return num(value, r.choice(["uint", "llong"]))
        return num(value)

    def leaf(self):
        if self.places and self.rng.random() < 0.75:
            return self.place()
        return self.constant()

    def number(self, depth=2):
        r = self.rng
        if depth == 0 or r.random() < 0.3:
            return self.leaf()
        pick = r.random()
        if pick < 0.55:
            op = r.choice(["+", "+", "-", "-", "*", "&", "|", "^"])
            return ["bin", op, self.number(depth - 1), self.number(depth - 1)]
        if pick < 0.65:
            return ["bin", r.choice(["/", "%"]), self.number(depth - 1),
                    num(r.choice([2, 3, 4, 5, 7]))]
        if pick < 0.75:
            count = ["bin", "&", self.number(0), num(r.choice([1, 3]))]
            return ["bin", r.choice(["<<", ">>"]), self.number(depth - 1),
                    count]
        if pick < 0.82:
            return ["un", r.choice(["-", "~", "!"]), self.number(depth - 1)]
        if pick < 0.89:
            return ["cast", r.choice(list(TYPES)), self.number(depth - 1)]
        if pick < 0.94:
            return ["cond", self.test(depth - 1), self.number(depth - 1),
                    self.number(depth - 1)]
        return self.test(depth - 1)

    def test(self, depth=1):
        """An expression that is mostly a comparison."""
        r = self.rng
        pick = r.random()
        if depth > 0 and pick < 0.12:
            return [r.choice(["and", "or"]), self.test(depth - 1),
                    self.test(depth - 1)]
        if pick < 0.17:
            return ["not", self.test(max(0, depth - 1))]
        if pick < 0.24:
            return ["bin", "&", self.leaf(), num(r.choice([1, 2, 4]))]
        if pick < 0.3 and len(self.pointers) > 1:
            (p, a), (q, b) = r.sample(self.pointers, 2)
            if a == b:
                return ["same", p, q]
        left = self.number(min(depth, 1)) if r.random() < 0.4 else \
            self.place() if self.places else self.constant()
        right = self.leaf() if r.random() < 0.3 else self.constant()
        return ["bin", r.choice(COMPARISONS), left, right]

    def condition(self, depth=1):
        r = self.rng
        pick = r.random()
        if pick < 0.35:
            return ["input", r.choice([1, 1, 4])]
        if depth > 0 and pick < 0.45:
            return [r.choice(["and", "or"]), self.condition(0),
                    self.condition(0)]
        if pick < 0.5:
            return ["not", ["input", 1]]
        return self.test()
