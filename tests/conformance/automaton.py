#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Code over places, and the explicit transition system that it spans.

A state is a place and the values of all variables. Silent steps between the
places where something can happen are not kept, which no weak relation notices.
"""

from translate import quotient, remainder

RUN_LIMIT = 20000  # Steps between two states; straight code ends before.


class TooLarge(Exception):
    """A system has more states than brute force wants to look at."""


class Automaton:
    """Is built piece by piece, assembled, and then run.

    nodes[i] is ("code", lines, test, then, else), ("goto", [places]),
    ("choose", slot, values, place), ("act", label, place),
    ("return", text or None), ("stop",) or ("error",).
    """

    def __init__(self):
        self.nodes = []
        self.kept = set()  # Places at which code is interrupted: loop heads.
        self.lines = []  # Code not yet ended.
        self.width = 0
        self.initial_values = []
        self.here = self.start = self.place()

    def place(self):
        self.nodes.append(None)
        return len(self.nodes) - 1

    def end(self, node):
        """Ends the current piece of code with a node."""
        if self.lines:
            after = self.place()
            self.nodes[self.here] = ("code", self.lines, None, after, after)
            self.lines, self.here = [], after
        self.nodes[self.here] = node
        self.here = None

    def begin(self, place, kept=False):
        if self.here is not None:
            self.jump(place)
        self.here = place
        if kept:
            self.kept.add(place)

    def jump(self, place):
        self.nodes[self.here] = ("code", self.lines, None, place, place)
        self.lines, self.here = [], None

    def branch(self, test, then, otherwise):
        self.nodes[self.here] = ("code", self.lines, test, then, otherwise)
        self.lines, self.here = [], None

    def choose(self, slot, values):
        after = self.place()
        self.end(("choose", slot, list(values), after))
        self.here = after

    def set(self, slot, value):
        self.lines.append(f"v[{slot}] = {value}")

    # Running.

    def assemble(self):
        """Translates straight code to Python functions."""
        text = ""
        for i, node in enumerate(self.nodes):
            if node and node[0] == "code":
                _, lines, test, then, otherwise = node
                target = (str(then) if test is None
                          else f"{then} if {test} else {otherwise}")
                text += f"def f{i}(v):\n"
                text += "".join(f" {line}\n" for line in lines)
                text += f" return {target}\n"
            elif node and node[0] == "return" and node[1]:
                text += f"def f{i}(v):\n return {node[1]}\n"
        scope = {"quotient": quotient, "remainder": remainder}
        exec(compile(text, "procedure", "exec"), scope)
        self.code = [None if node is None or node[0] != "code" or i in self.kept
                     else scope[f"f{i}"] for i, node in enumerate(self.nodes)]
        self.functions = {i: scope[f"f{i}"] for i in range(len(self.nodes))
                          if f"f{i}" in scope}

    def run(self, place, values):
        """To the next state, from a place and a list of values."""
        code, steps = self.code, 0
        while code[place] is not None:
            place = code[place](values)
            steps += 1
            if steps > RUN_LIMIT:
                raise TooLarge
        return place, tuple(values)

    def initial(self):
        return self.run(self.start, list(self.initial_values))

    def expand(self, state):
        """The moves of a state: (label, state). Returns are ("return", value)
        or ("return", None); silent moves have the label None."""
        place, values = state
        node = self.nodes[place]
        if node is None:  # Falls off a place that nothing leads to.
            return []
        kind = node[0]
        if kind == "code":
            fresh = list(values)
            return [(None, self.run(self.functions[place](fresh), fresh))]
        if kind == "goto":
            return [(None, self.run(target, list(values)))
                    for target in node[1]]
        if kind == "choose":
            result = []
            for value in node[2]:
                fresh = list(values)
                fresh[node[1]] = value
                result.append((None, self.run(node[3], fresh)))
            return result
        if kind == "act":
            return [(node[1], self.run(node[2], list(values)))]
        if kind == "return":
            value = self.functions[place](list(values)) if node[1] else None
            return [(("return", value), "returned")]
        if kind == "error":
            return [("error", "returned")]
        return []
