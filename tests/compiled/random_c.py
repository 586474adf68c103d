#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random closed C programs with pointers, structs, unions and casts.

What they do is defined wherever Agon and gcc -fwrapv agree on it: indices, shifts and
divisors are kept in range, everything is initialised, loops end, and no expression has
two side effects. `OBSERVE(k, e);` stands where an assertion may be put.
"""

import random

WIDTHS = {"signed char": 8, "unsigned char": 8, "char": 8, "short": 16,
          "unsigned short": 16, "int": 32, "unsigned": 32, "_Bool": 1,
          "long": 64, "long long": 64, "unsigned long long": 64}
CONSTANTS = [0, 1, 2, 3, 5, 7, 8, 15, 100, 127, 128, 255, 256, 32767, 32768,
             65535, -1, -2, -128, -129, "0x7fffffff", "0x80000000u"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
FEATURES = {"pointer": .6, "array": .5, "struct": .5, "union": .25,
            "bits": .25, "table": .2, "static": .25, "malloc": .2, "copy": .2,
            "bytes": .2, "goto": .2, "switch": .4, "loop": .7, "text": .15,
            "by value": .2, "functions": .7, "recursion": .15}
UNION = ("union u { int i; unsigned char b[4]; short h[2]; unsigned n; };")


class Scope:
    """What can be named: scalars as (text, type, has an address), pointers and
    objects as (name, type)."""

    def __init__(self, outer=None):
        self.scalars = list(outer.scalars) if outer else []
        self.pointers = list(outer.pointers) if outer else []
        self.objects = list(outer.objects) if outer else []
        self.arrays = list(outer.arrays) if outer else []

    def with_addresses(self, kind=None):
        return [s for s in self.scalars
                if s[2] and "*" not in s[0] and kind in (None, s[1])]


class RandomProgram:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.has = {f for f, p in FEATURES.items() if self.r.random() < p}
        self.names = self.observations = self.input_bits = 0
        self.budget = self.r.choice([6, 9, 12, 16, 22])
        self.functions, self.counters, self.lines = [], set(), [UNION]
        self.make()

    def text(self):
        return "\n".join(self.lines) + "\n"

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def kind(self):
        return self.r.choice(list(WIDTHS) + ["int", "int", "unsigned char"])

    # Expressions.

    def leaf(self, scope):
        if scope.scalars and self.r.random() < .75:
            return self.r.choice(scope.scalars)[0]
        return str(self.r.choice(CONSTANTS))

    def number(self, scope, depth=2):
        r = self.r
        if depth <= 0 or r.random() < .2:
            return self.leaf(scope)
        a, b = (self.number(scope, depth - 1) for _ in range(2))
        return r.choice([
            f"({self.kind()})({a})", f"({r.choice('-~!')}({a}))",
            f"({a} {r.choice('+-*&|^')} {b})", f"({a} {r.choice('+-&')} {b})",
            f"({a} {r.choice(['<<', '>>'])} ({b} & 7))",
            f"({a} {r.choice('/%')} ((({b}) & 7) + 1))",
            f"({a} {r.choice(COMPARISONS)} {b})",
            f"({a} {r.choice(['&&', '||'])} {b})",
            f"({self.test(scope, depth - 1)} ? {a} : {b})",
            f"({a} & {r.choice([1, 3, 7, 127])})"])

    def test(self, scope, depth=1):
        r = self.r
        if r.random() < .7 or depth <= 0:
            return (f"({self.number(scope, depth)} {r.choice(COMPARISONS)} "
                    f"{self.leaf(scope)})")
        return (f"({self.test(scope, 0)} {r.choice(['&&', '||'])} "
                f"{self.test(scope, 0)})")

    def index(self, scope, last=3):
        plain = [s[0] for s in scope.scalars if s[0].isalnum()]
        if plain and self.r.random() < .7:
            return (f"({self.r.choice(plain)}"
                    f"{self.r.choice(['', ' + 1', ' ^ 2'])}) & {last}")
        return str(self.r.randint(0, last))

    # Types and variables.

    def make_structs(self):
        self.structs = {}
        for name in ["struct a", "struct b"]:
            fields, body = [], []
            for i in range(self.r.randint(2, 4)):
                self.make_field(f"f{i}", name, fields, body)
            self.structs[name] = fields
            self.lines.append(f"{name} {{ {' '.join(body)} }};")

    def make_field(self, field, struct, fields, body):
        pick, kind = self.r.random(), self.kind()
        form = "scalar"
        if pick < .25 and "bits" in self.has:
            kind, form = self.r.choice(["int", "unsigned"]), "bits"
            body.append(f"{kind} {field} : {self.r.randint(1, 17)};")
        elif pick < .4:
            form = "array"
            body.append(f"{kind} {field}[4];")
        elif pick < .5 and "union" in self.has:
            kind, form = "union u", "union"
            body.append(f"union u {field};")
        elif pick < .6 and struct == "struct b":
            kind, form = "struct a", "struct"
            body.append(f"struct a {field};")
        else:
            body.append(f"{kind} {field};")
        fields.append((field, kind, form))

    def parts(self, base, kind, scope, dot="."):
        """The scalars in an object."""
        if kind == "union u":
            return [(f"{base}{dot}i", "int", True),
                    (f"{base}{dot}b[{self.index(scope)}]", "unsigned char",
                     True),
                    (f"{base}{dot}h[{self.index(scope, 1)}]", "short", True),
                    (f"{base}{dot}n", "unsigned", True)]
        found = []
        for field, of, form in self.structs[kind]:
            place = f"{base}{dot}{field}"
            if form in ("scalar", "bits"):
                found.append((place, of, form == "scalar"))
            elif form == "array":
                found.append((f"{place}[{self.index(scope)}]", of, True))
            else:
                found += self.parts(place, of, scope)
        return found

    def declare(self, scope, indent, is_global=False):
        r = self.r
        static = "static " if is_global and r.random() < .5 else ""
        if not is_global and "static" in self.has and r.random() < .2:
            static = "static "
        pick, name = r.random(), self.fresh("g" if is_global else "v")
        start = f"{indent}{static}"
        if pick < .2 and "array" in self.has:
            kind = self.kind()
            scope.scalars.append((f"{name}[{self.index(scope)}]", kind, True))
            scope.arrays.append((name, kind))
            values = ", ".join(str(r.randint(0, 5)) for _ in range(4))
            return [f"{start}{kind} {name}[4] = {{{values}}};"]
        if pick < .45 and "struct" in self.has:
            kind = r.choice([*self.structs, "union u"])
            scope.scalars += self.parts(name, kind, scope)
            scope.objects.append((name, kind))
            return [f"{start}{kind} {name} = {{{r.randint(0, 1)}}};"]
        if pick < .75 and "pointer" in self.has and not is_global:
            return self.pointer(scope, indent)
        kind = self.kind()
        scope.scalars.append((name, kind, True))
        value = (r.randint(0, 3) if static or is_global
                 else self.number(scope, 1).replace(name, "0"))
        return [f"{start}{kind} {name} = {value};"]

    def pointer(self, scope, indent):
        r, name = self.r, self.fresh("p")
        pick = r.random()
        if pick < .3 and scope.objects:
            _, kind = r.choice(scope.objects)
            a, b = (r.choice([o for o, k in scope.objects if k == kind])
                    for _ in range(2))
            line = f"{kind} *{name} = {self.test(scope, 0)} ? &{a} : &{b};"
            scope.scalars += self.parts(name, kind, scope, "->")
        elif pick < .45 and scope.arrays:
            array, kind = r.choice(scope.arrays)
            line = f"{kind} *{name} = {array} + ({self.index(scope)});"
            scope.scalars.append((f"(*{name})", kind, True))
        elif pick < .55 and "malloc" in self.has:
            kind = self.kind()
            line = f"{kind} *{name} = malloc(sizeof *{name}); *{name} = 1;"
            scope.scalars.append((f"(*{name})", kind, True))
        elif pick < .65 and "bytes" in self.has:
            return self.bytes_of(scope, name, indent)
        else:
            places = scope.with_addresses()
            if not places:
                return []
            kind = r.choice(places)[1]
            a, b = (r.choice(scope.with_addresses(kind))[0] for _ in range(2))
            line = f"{kind} *{name} = {self.test(scope)} ? &{a} : &{b};"
            scope.scalars.append((f"(*{name})", kind, True))
        scope.pointers.append((name, kind))
        return [indent + line]

    def bytes_of(self, scope, name, indent):
        places = [s for s in scope.with_addresses() if WIDTHS[s[1]] > 8]
        if not places:
            return []
        place, of, _ = self.r.choice(places)
        kind = self.r.choice(["unsigned char", "signed char"])
        last = WIDTHS[of] // 8 - 1
        scope.scalars.append((f"{name}[{self.index(scope)} & {last}]", kind,
                              False))
        return [f"{indent}{kind} *{name} = ({kind} *)&{place};"]

    def input(self, scope, indent):
        """Few enough that all can be tried: harness.c has the same ranges."""
        name = self.fresh("x")
        if self.input_bits > 9 or self.r.random() < .3:
            if self.input_bits > 11:
                return []
            self.input_bits += 1
            scope.scalars.append((name, "_Bool", True))
            return [f"{indent}_Bool {name} = __VERIFIER_nondet_bool();"]
        if self.input_bits == 0 and self.r.random() < .4:
            self.input_bits += 8
            scope.scalars.append((name, "unsigned char", True))
            return [f"{indent}unsigned char {name} = "
                    "__VERIFIER_nondet_uchar();"]
        self.input_bits += 3
        kind, suffix = self.r.choice([("int", "int"), ("unsigned", "uint"),
                                      ("long long", "longlong")])
        low = self.r.choice([0, -1, -3]) if kind != "unsigned" else 0
        scope.scalars.append((name, kind, True))
        return [f"{indent}{kind} {name} = __VERIFIER_nondet_{suffix}();",
                f"{indent}__VERIFIER_assume({name} >= {low} && "
                f"{name} <= {low + self.r.choice([2, 3, 5])});"]

    # Statements.

    def block(self, scope, depth, indent, count):
        inner, lines = Scope(scope), []
        for _ in range(self.r.randint(1, count)):
            if self.budget > 0:
                self.budget -= 1
                lines += self.statement(inner, depth, indent)
        return lines

    def target(self, scope):
        places = [s[0] for s in scope.scalars if s[0] not in self.counters]
        return self.r.choice(places) if places else None

    def assign(self, scope, indent):
        place = self.target(scope)
        if not place:
            return []
        r = self.r
        if r.random() < .6:
            return [f"{indent}{place} = {self.number(scope)};"]
        if r.random() < .6:
            return [f"{indent}{place} {r.choice('+-^|&*')}= "
                    f"{self.number(scope, 1)};"]
        return [f"{indent}{place}{r.choice(['++', '--'])};"]

    def statement(self, scope, depth, indent):
        ways = [self.assign] * 4 + [self.declare] * 3 + [self.observe]
        if self.functions:
            ways += [self.call]
        if self.has & {"copy", "by value"}:
            ways += [self.copy]
        if depth < 4:
            ways += [self.branch] * 2
            ways += [getattr(self, f) for f in ("loop", "switch", "goto")
                     if f in self.has]
        way = self.r.choice(ways)
        if way in (self.branch, self.loop, self.switch, self.goto):
            return way(scope, depth, indent)
        return way(scope, indent)

    def branch(self, scope, depth, indent):
        lines = [f"{indent}if ({self.test(scope)}) {{",
                 *self.block(scope, depth + 1, indent + "  ", 3),
                 f"{indent}}}"]
        if self.r.random() < .5:
            lines[-1] += " else {"
            lines += [*self.block(scope, depth + 1, indent + "  ", 2),
                      f"{indent}}}"]
        return lines

    def counter(self):
        name = self.fresh("i")
        self.counters.add(name)
        return name

    def loop(self, scope, depth, indent):
        r, i, inner = self.r, self.counter(), Scope(scope)
        kind, last = r.choice(["int", "unsigned char"]), r.randint(1, 4)
        inner.scalars.append((i, kind, False))
        body = self.block(inner, depth + 1, indent + "  ", 3)
        if r.random() < .3:
            body.append(f"{indent}  if ({self.test(inner)}) break;")
        if r.random() < .5:
            return [f"{indent}for ({kind} {i} = 0; {i} < {last}; {i}++) {{",
                    *body, f"{indent}}}"]
        if r.random() < .5:
            return [f"{indent}{kind} {i} = {last};", f"{indent}do {{", *body,
                    f"{indent}  {i}--;", f"{indent}}} while ({i} != 0);"]
        return [f"{indent}{kind} {i} = 0;",
                f"{indent}while ({i} < {last} && {self.test(scope)}) {{",
                f"{indent}  {i}++;", *body, f"{indent}}}"]

    def switch(self, scope, depth, indent):
        lines = [f"{indent}switch ({self.number(scope, 1)} & 7) {{"]
        for value in self.r.sample(range(8), self.r.randint(2, 4)):
            lines += [f"{indent}case {value}: {{",
                      *self.block(scope, depth + 1, indent + "  ", 1),
                      f"{indent}  }}"]
            if self.r.random() < .6:
                lines.append(f"{indent}  break;")
        return lines + [f"{indent}default: ;", f"{indent}}}"]

    def goto(self, scope, depth, indent):
        label, inner = self.fresh("l"), Scope(scope)
        if self.r.random() < .5:
            return [f"{indent}if ({self.test(scope)}) goto {label};", "{",
                    *self.block(scope, depth + 1, indent, 2), "}",
                    f"{indent}{label}: ;"]
        i = self.counter()
        inner.scalars.append((i, "int", False))
        return [f"{indent}int {i} = 0;", f"{indent}{label}: {i}++;", "{",
                *self.block(inner, depth + 1, indent, 2), "}",
                f"{indent}if ({i} < 3 && {self.test(scope)}) goto {label};"]

    def copy(self, scope, indent):
        if not scope.objects:
            return []
        a, kind = self.r.choice(scope.objects)
        b = self.r.choice([o for o, k in scope.objects if k == kind])
        if a == b:
            return []
        return [self.r.choice([f"{indent}{a} = {b};",
                               f"{indent}memcpy(&{a}, &{b}, sizeof {a});"])]

    def observe(self, scope, indent):
        self.observations += 1
        return [f"{indent}OBSERVE({self.observations}, "
                f"{self.number(scope, self.r.choice([0, 1]))});"]

    # Functions.

    def argument(self, scope, kind):
        """Nothing if there is none."""
        if not kind.endswith("*"):
            return self.number(scope, 1)
        to = kind[:-2]
        found = [f"&{o}" for o, k in scope.objects if k == to]
        found += [p for p, k in scope.pointers if k == to]
        if to in WIDTHS:
            found += [f"&{s[0]}" for s in scope.with_addresses(to)]
        return self.r.choice(found) if found else None

    def call(self, scope, indent):
        name, kinds = self.r.choice(self.functions)
        arguments = [self.argument(scope, k) for k in kinds]
        if None in arguments:
            return []
        if name.startswith("table"):
            name += f"[{self.index(scope)}]"
        places = [s[0] for s in scope.scalars
                  if s[0].isalnum() and s[0] not in self.counters]
        result = f"{self.r.choice(places)} = " if places else ""
        return [f"{indent}{result}{name}({', '.join(arguments)});"]

    def function(self, outer):
        scope, kinds, parameters = Scope(outer), [], []
        for _ in range(self.r.randint(0, 3)):
            name, kind = self.fresh("a"), self.kind()
            if self.r.random() < .4 and "pointer" in self.has:
                kind = self.r.choice([kind, "int", *self.structs])
                scope.pointers.append((name, kind))
                scope.scalars += (self.parts(name, kind, scope, "->")
                                  if kind in self.structs
                                  else [(f"(*{name})", kind, True)])
                kind += " *"
            else:
                scope.scalars.append((name, kind, True))
            kinds.append(kind)
            parameters.append(f"{kind} {name}")
        name, saved = self.fresh("f"), self.budget
        self.budget = self.r.randint(1, 4)
        body = self.block(scope, 1, "  ", 4)
        self.budget = saved
        self.lines += [
            f"static {self.kind()} {name}({', '.join(parameters) or 'void'})",
            "{", *body, f"  return {self.number(scope)};", "}"]
        self.functions.append((name, kinds))

    def make_table(self, outer):
        names, scope = [], Scope(outer)
        scope.scalars += [("x", "short", True), ("y", "int", True)]
        for _ in range(2):
            names.append(self.fresh("h"))
            self.lines.append(f"static int {names[-1]}(short x, int y) "
                              f"{{ return {self.number(scope)}; }}")
        table = self.fresh("table")
        chosen = ", ".join(self.r.choice(names) for _ in range(4))
        self.lines.append(f"static int (*{table}[4])(short, int) = "
                          f"{{{chosen}}};")
        self.functions.append((table, ["short", "int"]))

    def make_recursion(self, outer):
        scope, name = Scope(outer), self.fresh("r")
        scope.scalars += [("x", "int", True), ("n", "unsigned char", True)]
        self.lines += [
            f"static int {name}(unsigned char n, int x)", "{",
            f"  if (n == 0 || n > {self.r.randint(2, 4)}) "
            f"return {self.number(scope, 1)};",
            f"  int y = {name}(n - 1, {self.number(scope, 1)});"]
        scope.scalars.append(("y", "int", True))
        self.lines += [f"  return {self.number(scope, 1)};", "}"]
        self.functions.append((name, ["unsigned char", "int"]))

    def make(self):
        scope = Scope()
        self.make_structs()
        for _ in range(self.r.randint(0, 3)):
            self.lines += self.declare(scope, "", True)
        if "text" in self.has:
            name = self.fresh("text")
            self.lines.append(f'static const char *{name} = "ab9z";')
            self.counters.add(f"{name}[1]")
            scope.scalars.append((f"{name}[1]", "char", False))
        if "functions" in self.has:
            for _ in range(self.r.randint(1, 4)):
                self.function(scope)
        if "table" in self.has:
            self.make_table(scope)
        if "recursion" in self.has:
            self.make_recursion(scope)
        body = []
        for _ in range(self.r.randint(1, 3)):
            body += self.input(scope, "  ")
        while self.budget > 0:
            self.budget -= 1
            body += self.statement(scope, 1, "  ")
        body += self.observe(scope, "  ")
        self.lines += ["int main(void)", "{", *body, "  return 0;", "}"]
