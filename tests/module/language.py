# SPDX-License-Identifier: Apache-2.0
"""Small modules: random ones, as C, and what they do with every client.

All numbers are in 0..3. A module has static variables v0.., and functions f0..
with a parameter p or none. Statements are tuples:

  ("set", variable, expression)         ("if", condition, then, else)
  ("ask", variable)                     variable = ask();  a routine outside
  ("fail",)                             reach_error();
  ("return", expression)
"""

import itertools
import random

import processes

SIZE = 4


class Module:
    def __init__(self, rng, asks, visible):
        self.rng = rng
        self.asks = asks
        self.visible = visible  # Whether v0 is not static: ask() changes it.
        self.variables = [f"v{i}" for i in range(rng.randint(1, 2))]
        self.initial = tuple(rng.randrange(SIZE) for _ in self.variables)
        self.functions = {}
        for i in range(rng.randint(1, 3)):
            parameters = ["p"] if rng.random() < 0.6 else []
            names = self.variables + parameters + ["t"]
            body = self.block(names, 2, rng.randint(2, 4))
            body.append(("return", self.expression(names)))
            self.functions[f"f{i}"] = (parameters, body)

    def expression(self, names):
        rng = self.rng
        kind = rng.randrange(5)
        if kind == 0:
            return ("number", rng.randrange(SIZE))
        if kind < 3:
            return ("name", rng.choice(names))
        return (rng.choice("+-"), ("name", rng.choice(names)),
                ("number", rng.randrange(1, SIZE)))

    def condition(self, names):
        rng = self.rng
        right = (("number", rng.randrange(SIZE)) if rng.random() < 0.7 else
                 ("name", rng.choice(names)))
        return (rng.choice(["<", "==", ">"]), ("name", rng.choice(names)),
                right)

    def block(self, names, depth, length):
        return [self.statement(names, depth) for _ in range(length)]

    def statement(self, names, depth):
        rng = self.rng
        kind = rng.random()
        if depth > 0 and kind < 0.4:
            then = self.block(names, depth - 1, rng.randint(1, 2))
            other = self.block(names, depth - 1, rng.randint(0, 1))
            return ("if", self.condition(names), then, other)
        if depth < 2 and kind < 0.52:
            return ("fail",)
        if depth < 2 and kind < 0.6:
            return ("return", self.expression(names))
        if self.asks and kind < 0.75:
            return ("ask", rng.choice(names))
        return ("set", rng.choice(names), self.expression(names))


def c_expression(e):
    if e[0] == "number":
        return str(e[1])
    if e[0] == "name":
        return e[1]
    return f"(({c_expression(e[1])} {e[0]} {c_expression(e[2])}) & 3)"


def c_block(block, indent):
    lines = []
    space = "  " * indent
    for s in block:
        if s[0] == "set":
            lines.append(f"{space}{s[1]} = {c_expression(s[2])};")
        elif s[0] == "ask":
            lines.append(f"{space}{s[1]} = ask() & 3;")
            lines.append(f"{space}v0 = v0 & 3;")
        elif s[0] == "fail":
            lines.append(f"{space}reach_error();")
        elif s[0] == "return":
            lines.append(f"{space}return {c_expression(s[1])};")
        else:
            test = f"{c_expression(s[1][1])} {s[1][0]} {c_expression(s[1][2])}"
            lines.append(f"{space}if ({test}) {{")
            lines += c_block(s[2], indent + 1)
            lines.append(f"{space}}} else {{")
            lines += c_block(s[3], indent + 1)
            lines.append(f"{space}}}")
    return lines


def to_c(module):
    lines = ["void reach_error(void);", "unsigned ask(void);"]
    for i, name in enumerate(module.variables):
        static = "" if module.visible and i == 0 else "static "
        lines.append(f"{static}unsigned {name} = {module.initial[i]};")
    for name, (parameters, body) in module.functions.items():
        given = ", ".join(f"unsigned {p}" for p in parameters) or "void"
        lines.append(f"unsigned {name}({given}) {{")
        lines.append("  unsigned t = 0;")
        lines += [f"  {p} = {p} & 3;" for p in parameters]
        lines += c_block(body, 1)
        lines.append("}")
    return "\n".join(lines) + "\n"


def value(e, store):
    if e[0] == "number":
        return e[1]
    if e[0] == "name":
        return store[e[1]]
    left, right = value(e[1], store), value(e[2], store)
    return (left + right if e[0] == "+" else left - right) & 3


def holds(c, store):
    left, right = value(c[1], store), value(c[2], store)
    return {"<": left < right, "==": left == right, ">": left > right}[c[0]]


class Client:
    """Every client of a module, by enumeration of its states.

    States are the values of the variables and the state of a monitor.
    `complete[s]` are the states in which calls from s return, and `fails` the
    states from which a call can lead to what the monitor looks for. With
    callbacks, ask() may do what a client may do; both are then a least fixed
    point.
    """

    def __init__(self, module, callbacks, monitor):
        self.module = module
        self.callbacks = callbacks
        self.monitor = monitor
        self.initial = module.initial + (monitor.initial,)
        self.complete = {self.initial: set()}
        self.fails = set()
        self.inside = {}  # What after() gave in this round.
        done = set()
        size = None
        while size != self.size():
            size = self.size()
            self.inside.clear()
            for state in list(self.complete):
                if callbacks or state not in done:
                    self.explore(state)
                    done.add(state)

    def size(self):
        return (len(self.complete), len(self.fails),
                sum(map(len, self.complete.values())))

    def during_ask(self, state):
        """The states in which ask() returns."""
        if state not in self.inside:
            self.inside[state] = self.after(state, self.callbacks,
                                            self.module.visible)
        return self.inside[state]

    def after(self, state, calls, changes):
        """The states that complete calls and changes of v0 lead to."""
        seen, left = {state}, [state]
        while left:
            at = left.pop()
            steps = set()
            if calls:
                steps |= self.complete.setdefault(at, set())
            if changes:
                steps |= {(x,) + at[1:] for x in range(SIZE)}
            left += steps - seen
            seen |= steps
        return seen

    def explore(self, state):
        for name, (parameters, _) in self.module.functions.items():
            for values in itertools.product(range(SIZE),
                                            repeat=len(parameters)):
                returned, fails = self.call(state, name, values)
                if fails:
                    self.fails.add(state)
                for end, _ in returned:
                    self.complete[state].add(end)
                    self.complete.setdefault(end, set())

    def call(self, state, name, values):
        """All (state, result) of a call, and whether it can fail."""
        parameters, body = self.module.functions[name]
        run = Run(self, self.module.variables + ["monitor"] + parameters + ["t"])
        stores = run.act(("call", name), {state + tuple(values) + (0,)})
        left = run.block(body, stores)
        assert not left
        count = len(state)
        returned = set()
        for store, result in run.returned:
            for end in run.act(("return", name, result), {store}):
                returned.add((end[:count], result))
        return returned, run.fails

    def can_fail(self):
        return bool(self.after(self.initial, True, False) & self.fails)


class Run:
    """Runs statements from sets of stores, which are tuples of values."""

    def __init__(self, client, names):
        self.client = client
        self.names = names
        self.at = names.index("monitor")
        self.returned = set()
        self.fails = False

    def act(self, event, stores):
        result = set()
        for store in stores:
            after = self.client.monitor.step(store[self.at], event)
            if after == processes.FAIL:
                self.fails = True
            elif after != processes.DEAD:
                result.add(store[:self.at] + (after,) + store[self.at + 1:])
        return result

    def block(self, block, stores):
        for s in block:
            stores = self.step(s, stores)
        return stores

    def step(self, s, stores):
        if s[0] == "ask":
            return self.ask(s[1], stores)
        if s[0] == "fail":
            self.act(("error",), stores)
            return set()
        result = set()
        for store in stores:
            named = dict(zip(self.names, store))
            if s[0] == "set":
                named[s[1]] = value(s[2], named)
                result.add(tuple(named.values()))
            elif s[0] == "return":
                self.returned.add((store, value(s[1], named)))
            else:
                branch = s[2] if holds(s[1], named) else s[3]
                result |= self.block(branch, {store})
        return result

    def ask(self, target, stores):
        client = self.client
        inside = set()
        for store in self.act(("call", "ask"), stores):
            states = client.during_ask(store[:self.at + 1])
            if client.callbacks and states & client.fails:
                self.fails = True
            inside |= {state + store[self.at + 1:] for state in states}
        at = self.names.index(target)
        return {end[:at] + (answer,) + end[at + 1:]
                for end in self.act(("return", "ask", None), inside)
                for answer in range(SIZE)}


def random_module(seed, asks, visible):
    return Module(random.Random(seed), asks, visible)
