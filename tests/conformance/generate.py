#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes random procedures.

Everything follows from a random generator. Variables are mostly kept small by masks, so
that brute force can visit all states; what is too large anyway is skipped.
"""

from language import Case, Function, Input, TYPES, Variable
from random_expressions import Expressions, num, var

LOCAL_TYPES = ["int", "int", "uchar", "uchar", "uint", "schar", "short",
               "ushort", "bool", "bool", "llong"]


class ProcedureMaker:
    """One random procedure with its helpers."""

    def __init__(self, rng, unit, name, reach=False, main=False):
        self.rng, self.unit, self.name = rng, unit, name
        self.reach, self.main = reach, main
        self.features = set()
        self.helpers, self.locals, self.inputs = [], [], []
        self.parameters, self.prologue = [], []
        self.scalars = []  # (place, type) that may be assigned
        self.counters = []  # (place, type) that may only be read
        self.pointers = []  # (name, type)
        self.struct_pointers = []
        self.labels = []
        self.recursive = False
        self.used_globals = set()
        self.budget = rng.choice([5, 8, 11, 14])

    def wants(self, feature, probability):
        if self.rng.random() < probability:
            self.features.add(feature)
            return True
        return False

    # Variables.

    def norm(self, kind, clamp=True):
        r = self.rng
        pick = r.random()
        if pick < 0.5 or not TYPES[kind][2]:
            return ["mask", r.choice([1, 3, 3, 7])]
        if pick < 0.75 or not clamp:
            return ["mod", r.choice([2, 3, 4])]
        low = r.randint(-2, 0)
        return ["clamp", low, low + r.randint(1, 4)]

    def make_parameters(self):
        r = self.rng
        for i in range(r.choice([0, 0, 1, 1, 2])):
            kind = r.choice(["int", "int", "uchar", "schar", "uint", "short"])
            name = f"x{i}"
            raw = kind in ("uchar", "schar") and i == 0 and r.random() < 0.4
            self.parameters.append(Variable(name, kind))
            self.inputs.append(Input(name, kind,
                                     None if raw else self.norm(kind)))
            self.scalars.append((var(name), kind))

    def make_globals(self):
        """Globals hold anything at first, unless this is main."""
        r = self.rng
        for v in self.unit.globals:
            if r.random() > 0.25 and v.name not in self.used_globals:
                continue
            self.features.add("globals")
            self.used_globals.add(v.name)
            if v.count:
                places = [["idx", v.name, num(i)] for i in range(v.count)]
                self.arrays.append((v.name, v.type))
            elif v.type.startswith("struct"):
                places = [["fld", v.name, f]
                          for f, _ in self.unit.structs[v.type]]
                kinds = [k for _, k in self.unit.structs[v.type]]
                self.scalars += list(zip(places, kinds))
                self.structs.append((v.name, v.type))
            else:
                self.scalars.append((var(v.name), v.type))
                if not self.main:
                    norm = (self.norm(v.type) if r.random() < 0.5
                            else ["const", r.randint(0, 3)])
                    self.inputs.append(Input(v.name, v.type, norm))
                continue
            if not self.main:
                self.prologue += [["assign", p, num(r.randint(0, 3))]
                                  for p in places]

    def make_locals(self):
        r = self.rng
        for i in range(r.choice([0, 1, 1, 2, 3])):
            kind = r.choice(LOCAL_TYPES)
            name = f"y{i}"
            small = kind in ("uchar", "schar", "bool")
            v = Variable(name, kind, init=[r.randint(0, 3)])
            if small and self.wants("uninitialised", 0.1):
                v.init = None
                self.prologue.append(["update", var(name), "&", num(3)])
            elif (not self.main and not self.recursive
                  and self.wants("static", 0.06)):
                v.static = True
                v.init = [r.randint(0, 1)]
                self.inputs.append(Input(name, kind, ["mask", 3]))
            self.locals.append(v)
            self.scalars.append((var(name), kind))
        if self.recursive:
            return  # What a call of itself may change is not specified.
        if self.wants("array", 0.15):
            kind, count = r.choice(["int", "uchar", "short"]), r.choice([2, 4])
            values = [r.randint(0, 2) for _ in range(count)]
            self.locals.append(Variable("t0", kind, count, values))
            self.arrays.append(("t0", kind))
        if self.wants("struct", 0.12):
            kind = r.choice(list(self.unit.structs))
            fields = self.unit.structs[kind]
            values = [r.randint(0, 2) for _ in fields]
            self.locals.append(Variable("s0", kind, None, values))
            self.structs.append(("s0", kind))
            self.scalars += [(["fld", "s0", f], k) for f, k in fields]
        for name, kind in self.arrays:
            index = r.choice([s for s, _ in self.scalars] or [num(1)])
            self.scalars.append((["idx", name, index], kind))

    def make_pointers(self):
        r = self.rng
        targets = [(p, k) for p, k in self.scalars
                   if k != "bool" and not self.recursive]
        if targets and self.wants("pointer", 0.25):
            for i in range(r.choice([1, 1, 2])):
                _, kind = r.choice(targets)
                place = r.choice([p for p, k in targets if k == kind])
                name = f"p{i}"
                self.locals.append(Variable(name, kind + "*"))
                self.prologue.append(["point", name, place])
                self.pointers.append((name, kind))
        if self.structs and self.wants("struct pointer", 0.5):
            name, kind = r.choice(self.structs)
            self.locals.append(Variable("q0", kind + "*"))
            self.prologue.append(["point", "q0", var(name)])
            self.struct_pointers.append(("q0", kind))
        self.targets = targets
        self.scalars += [(["deref", p], k) for p, k in self.pointers]
        for name, kind in self.struct_pointers:
            self.scalars += [(["arrow", name, f], k)
                             for f, k in self.unit.structs[kind]]

    # Statements.

    def block(self, depth, loop, count=None):
        r = self.rng
        count = count or r.choice([1, 1, 2, 2, 3])
        body = []
        for _ in range(count):
            if self.budget <= 0:
                break
            self.budget -= 1
            body += self.statement(depth, loop)
            if body and body[-1][0] in ("assign", "update", "nondet", "call"):
                known = [p for p, _ in self.expressions.places]
                if body[-1][1] in known:
                    self.expressions.recent = body[-1][1]
        if not body and not self.reach:
            body = self.call()
        return body

    def statement(self, depth, loop):
        r = self.rng
        pick = r.random()
        if self.reach:
            if pick < 0.12:
                return [["assert", self.expressions.test()]]
            if pick < 0.15:
                return [["error"]]
        elif pick < 0.4:
            return self.call()
        kinds = ["assign"] * 5 + ["nondet"] * 2 + ["leave"] * 2
        if depth < 3:
            kinds += ["if"] * 4 + ["loop"] * 2 + ["switch", "local"]
        if self.helpers:
            kinds += ["helper"] * 2
        if self.pointers and not loop:
            kinds += ["point"]
        if self.labels:
            kinds += ["goto"]
        if self.recursive:
            kinds += ["recurse"]
        return getattr(self, "make_" + r.choice(kinds))(depth, loop)

    def small(self, e, probability=0.85):
        if self.rng.random() < probability:
            return ["bin", "&", e, num(self.rng.choice([1, 3, 3, 7]))]
        return e

    def make_assign(self, _, loop):
        r = self.rng
        if not self.scalars:
            return self.call() if not self.reach else []
        place, _ = r.choice(self.scalars)
        if loop or r.random() < 0.6:
            return [["assign", place, self.small(self.expressions.number())]]
        if r.random() < 0.5:
            value = r.choice([num(1), self.expressions.leaf()])
            return [["update", place, r.choice(["+", "-", "^", "*", "|"]),
                     value]]
        return [["assign", place, self.expressions.number()]]

    def make_nondet(self, *_):
        if not self.scalars:
            return []
        r = self.rng
        place, _ = r.choice(self.scalars)
        kind = r.choice(["uchar", "int", "uint", "schar", "bool", "short"])
        norm = None if kind == "bool" else self.norm(kind, clamp=False)
        return [["nondet", place, kind, norm]]

    def make_leave(self, depth, loop):
        r = self.rng
        pick = r.random()
        if pick < 0.15:
            return [["assume", self.expressions.test()]]
        if depth == 0:
            return self.make_assign(depth, loop)
        if loop and pick < 0.6:
            return [[r.choice(["break", "continue"])]]
        if pick < 0.68:
            return [["abort"]]
        return [self.leave()]

    def leave(self):
        if self.result is None:
            return ["return", None]
        r = self.rng
        if r.random() < 0.5 or not self.scalars:
            low = -2 if TYPES[self.result][2] else 0
            return ["return", num(r.randint(low, 3))]
        if r.random() < 0.1:
            return ["return", self.expressions.number()]
        return ["return", self.small(self.expressions.number(1), 0.9)]

    def make_if(self, depth, loop):
        r = self.rng
        c = self.expressions.condition()
        then = self.block(depth + 1, loop)
        other = self.block(depth + 1, loop) if r.random() < 0.6 else []
        return [["if", c, then, other]]

    def make_loop(self, depth, _):
        r = self.rng
        self.features.add("loop")
        pick = r.random()
        if pick < 0.3:
            name = f"i{len(self.counters)}"
            self.locals.append(Variable(name, r.choice(["int", "uchar"]),
                                        init=[0]))
            self.counters.append(name)
            self.expressions.places.append((var(name), "int"))
            return [["for", name, r.randint(0, 1), r.randint(1, 3),
                     self.block(depth + 1, True)]]
        if pick < 0.45 and self.scalars:
            place, kind = r.choice(self.scalars)
            bound = num(r.randint(1, 4))
            body = self.block(depth + 1, True)
            at = r.choice([0, len(body)])
            body.insert(at, ["assign", place,
                             ["bin", "+", place, num(1)]])
            test = ["bin", r.choice(["<", "!=", "<="]), place, bound]
            return [["while", test, body]]
        if pick < 0.65:
            return [["while", ["input", 1], self.block(depth + 1, True)]]
        if pick < 0.75:
            body = self.block(depth + 1, True)
            way_out = [["break"]] if r.random() < 0.7 else [self.leave()]
            body.insert(r.randint(0, len(body)),
                        ["if", self.expressions.condition(), way_out, []])
            return [["while", num(1), body]]
        if pick < 0.88:
            return [["do", self.block(depth + 1, True),
                     self.expressions.condition()]]
        return [["while", self.expressions.condition(),
                 self.block(depth + 1, True)]]

    def make_switch(self, depth, loop):
        r = self.rng
        self.features.add("switch")
        values = r.sample([-1, 0, 1, 2, 3, 4], r.randint(1, 3))
        parts = [[[v], self.block(depth + 1, loop, 1), r.random() < 0.3]
                 for v in values]
        if r.random() < 0.3:
            parts[0][0].append(5)
        if r.random() < 0.6:
            at = r.randint(0, len(parts))
            parts.insert(at, [[None], self.block(depth + 1, loop, 1),
                              r.random() < 0.3])
        if loop and r.random() < 0.4:
            r.choice(parts)[1].append(["if", self.expressions.condition(),
                                       [["continue"]], []])
        e = self.expressions.number(1)
        if r.random() < 0.7:
            e = self.small(e, 1)
        return [["switch", e, parts]]

    def make_local(self, depth, loop):
        r = self.rng
        name = f"z{depth}"
        if name in (p[1] for p, _ in self.scalars if p[0] == "var"):
            return self.make_assign(depth, loop)
        kind = r.choice(["uchar", "int", "schar"])
        v = Variable(name, kind, init=[r.randint(0, 3)])
        body = []
        if kind == "uchar" and self.wants("uninitialised", 0.3):
            v.init = None
            body = [["update", var(name), "&", num(r.choice([1, 3]))]]
        self.scalars.append((var(name), kind))
        self.expressions.places.append((var(name), kind))
        body += self.block(depth + 1, loop, 2)
        if self.expressions.recent == var(name):
            self.expressions.recent = None
        self.scalars.remove((var(name), kind))
        self.expressions.places.remove((var(name), kind))
        return [["local", v, body]]

    def make_point(self, *_):
        r = self.rng
        name, kind = r.choice(self.pointers)
        targets = [p for p, k in self.targets if k == kind]
        return [["point", name, r.choice(targets)]] if targets else []

    def make_goto(self, *_):
        self.features.add("goto")
        c = self.expressions.condition()
        return [["if", c, [["goto", self.rng.choice(self.labels)]], []]]

    def receiver(self):
        """A place for the result of a call, which the call cannot move."""
        return self.rng.choice([p for p, _ in self.scalars if p[0] != "idx"]
                               or [None])

    def fixed_targets(self, kind):
        return [p for p, k in self.targets if k == kind and p[0] != "idx"]

    def make_helper(self, *_):
        r = self.rng
        h = r.choice(self.helpers)
        arguments = []
        for p in h.parameters:
            if p.type.endswith("*"):
                targets = [x for x, k in self.targets if k == p.type[:-1]]
                if not targets:
                    return []
                arguments.append(["addr", r.choice(targets)])
            else:
                arguments.append(self.expressions.number(1))
        place = self.receiver() if h.result else None
        return [["helper", place, h.name, arguments]]

    def make_recurse(self, *_):
        arguments = [self.small(self.expressions.number(1), 1)
                     for _ in self.parameters]
        place = norm = None
        if self.result:
            place, norm = self.receiver(), ["mask", 3]
        return [["self", place, arguments, norm]]

    def call(self):
        r = self.rng
        routines = self.unit.routines
        simple = [x for x in routines if x.name.startswith("do_")]
        routine = r.choice(simple if r.random() < 0.6 else routines)
        arguments, after = [], []
        for p in routine.parameters:
            if p.type.endswith("*"):
                targets = self.fixed_targets(p.type[:-1])
                if not targets:
                    return [["call", None, r.choice(simple).name, [], None]]
                arguments.append(["addr", r.choice(targets)])
                after.append(["update", arguments[-1][1], "&", num(3)])
            else:
                arguments.append(self.small(self.expressions.number(1), 0.6))
        for place in routine.modifies:
            if place[0] == "var":
                if place[1] not in self.used_globals:
                    return [["call", None, r.choice(simple).name, [], None]]
                after.append(["update", place, "&", num(3)])
        place = norm = None
        if routine.result and r.random() < 0.85:
            place = self.receiver()
            norm = self.norm(routine.result,
                             clamp=routine.result == "int")
            self.features.add("result of a routine")
        return [["call", place, routine.name, arguments, norm], *after]

    # The whole.

    def make(self):
        r = self.rng
        self.arrays, self.structs = [], []
        self.result = r.choice([None, "int", "int", "int", "uchar", "schar",
                                "uint"])
        if self.main:
            self.result = "int"
        else:
            self.make_parameters()
            plain = all(i.norm or i.type in ("uchar", "schar")
                        for i in self.inputs)
            self.recursive = (not self.reach and plain
                              and self.wants("recursive", 0.06))
        if not self.recursive:
            self.make_globals()
        self.make_locals()
        self.make_pointers()
        self.expressions = Expressions(r, list(self.scalars), self.pointers)
        if not self.recursive and self.wants("helper", 0.25):
            for i in range(r.choice([1, 1, 2])):
                self.helpers.append(self.make_helper_function(i))
        if self.wants("goto", 0.12):
            self.labels = ["l0"]
        body = self.block(0, False, 6)
        while len(body) < 2:
            self.budget = 4
            body += self.block(0, False, 3)
        for label in self.labels:
            body.insert(r.randint(0, len(body)), ["label", label])
        body = self.prologue + body + [self.leave()]
        function = Function(self.name, self.result, self.parameters,
                            self.locals, body, self.inputs)
        return Case(function, [], self.helpers, self.features)

    def make_helper_function(self, index):
        """A helper sees its parameters, globals in use, and routines."""
        r = self.rng
        name = f"h_{self.name}_{index}"
        inner = ProcedureMaker(r, self.unit, name, self.reach)
        inner.arrays, inner.structs = [], []
        inner.used_globals = self.used_globals
        inner.result = r.choice([None, "int", "uchar", "schar"])
        inner.budget = 3
        for v in self.unit.globals:
            if v.name in self.used_globals and v.type in TYPES \
                    and not v.count:
                inner.scalars.append((var(v.name), v.type))
        kinds = sorted({k for _, k in self.targets})
        if kinds and r.random() < 0.5:
            kind = r.choice(kinds)
            inner.parameters.append(Variable("w", kind + "*"))
            inner.pointers.append(("w", kind))
            inner.scalars.append((["deref", "w"], kind))
        if r.random() < 0.6:
            kind = r.choice(["int", "uchar", "uint"])
            inner.parameters.append(Variable("n", kind))
            inner.scalars.append((var("n"), kind))
        inner.targets = []
        inner.helpers = list(self.helpers)
        inner.expressions = Expressions(r, list(inner.scalars), [])
        body = inner.block(0, False, 3) + [inner.leave()]
        return Function(name, inner.result, inner.parameters, inner.locals,
                        body)
