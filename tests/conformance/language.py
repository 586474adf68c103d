#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The small C of the conformance test: its trees, and how they are printed.

Expressions and statements are nested lists, so that they are easily built,
copied and cut down. Conditions of `if` and of loops may contain inputs.

    expression  ["num", value, type]          ["var", name]
                ["bin", op, e, e]             ["un", op, e]
                ["cast", type, e]             ["cond", e, e, e]
                ["idx", array, e]             element e mod the size
                ["fld", struct, field]        ["arrow", pointer, field]
                ["deref", pointer]            ["same", pointer, pointer]
    condition   expression | ["input", mask]  an input bit, only in conditions
                ["and", c, c] | ["or", c, c] | ["not", c]
    statement   ["assign", place, e]          ["update", place, op, e]
                ["nondet", place, type, norm] ["point", pointer, place]
                ["assume", c]                 ["assert", e]
                ["call", place or None, routine, [argument], norm]
                ["helper", place or None, function, [argument]]
                ["self", place or None, [argument], norm]
                ["if", c, block, block]       ["while", c, block]
                ["do", block, c]              ["for", name, from, to, block]
                ["switch", e, [[values, block, falls through]]]
                ["local", variable, block]    ["label", name]
                ["goto", name]  ["break"]  ["continue"]  ["return", e or None]
                ["abort"]  ["error"]
    place       an expression that is an lvalue
    argument    an expression, or ["addr", place]

A *norm* brings any value of a type to one of a few: ["mask", m], ["mod", m],
["clamp", low, high], or None. Values for which norms and guards make no
difference need not be told apart by brute force.
"""

import dataclasses
from typing import Optional

# Name in trees: text, bits, signed.
TYPES = {
    "bool": ("_Bool", 1, False),
    "uchar": ("unsigned char", 8, False),
    "schar": ("signed char", 8, True),
    "short": ("short", 16, True),
    "ushort": ("unsigned short", 16, False),
    "int": ("int", 32, True),
    "uint": ("unsigned", 32, False),
    "llong": ("long long", 64, True),
}
SUFFIXES = {"uint": "u", "llong": "ll"}


def limits(kind):
    _, bits, signed = TYPES[kind]
    if signed:
        return -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    return 0, (1 << bits) - 1


def convert(value, kind):
    """A number as a value of an integer type."""
    if kind == "bool":
        return int(value != 0)
    _, bits, signed = TYPES[kind]
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


@dataclasses.dataclass
class Variable:
    """A scalar, a pointer ("uchar*"), an array, or a struct ("struct s0")."""
    name: str
    type: str
    count: Optional[int] = None
    init: Optional[list] = None  # Numbers; None: uninitialised.
    static: bool = False


@dataclasses.dataclass
class Input:
    """A parameter or global of any value, and what the program does to it."""
    name: str
    type: str
    norm: Optional[list]


@dataclasses.dataclass
class Function:
    """A function with a body; `inputs` are normalised where it starts."""
    name: str
    result: Optional[str]
    parameters: list  # Variable
    locals: list  # Variable
    body: list
    inputs: list = dataclasses.field(default_factory=list)
    pointee_globals: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Routine:
    """A routine without a body, described in the .agon file."""
    name: str
    result: Optional[str]
    parameters: list  # Variable
    arms: list  # (guard, Process); a guard of None means otherwise.
    modifies: list = dataclasses.field(default_factory=list)  # places


@dataclasses.dataclass
class Event:
    """A visible action at the call or return of a helper."""
    action: str
    moment: str  # call, return
    function: str
    guard: Optional[list]


@dataclasses.dataclass
class Case:
    """A procedure and what is asked of it."""
    function: Function
    arms: list  # (guard or None, Process)
    helpers: list  # Function
    features: set = dataclasses.field(default_factory=set)


@dataclasses.dataclass
class Unit:
    """What goes into one C file and one .agon file."""
    structs: dict  # name: [(field, type)]
    globals: list  # Variable
    routines: list  # Routine
    cases: list  # Case
    events: list = dataclasses.field(default_factory=list)


def children(tree):
    return (part for part in tree if isinstance(part, list))


def nodes(tree):
    """All lists in a tree whose first element is a name, outermost first."""
    if tree and isinstance(tree[0], str):
        yield tree
    for part in children(tree):
        yield from nodes(part)


# --- Text ----------------------------------------------------------------

HEADER = """\
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long long __VERIFIER_nondet_longlong(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
extern void reach_error(void);
"""
NONDET = {kind: f"__VERIFIER_nondet_{kind}" for kind in TYPES}
NONDET["llong"] = "__VERIFIER_nondet_longlong"
NONDET["schar"] = "(signed char)__VERIFIER_nondet_uchar"


def number(value, kind="int"):
    if value == -(1 << 31) and kind == "int":
        return "(-2147483647 - 1)"
    text = f"{value}{SUFFIXES.get(kind, '')}"
    return f"({text})" if value < 0 else text


def declare(kind, name, count=None):
    base, stars = kind.rstrip("*"), "*" * kind.count("*")
    text = TYPES[base][0] if base in TYPES else base
    array = f"[{count}]" if count else ""
    return f"{text} {stars}{name}{array}"


def normalised(text, norm):
    if norm is None:
        return text
    if norm[0] == "mask":
        return f"{text} & {norm[1]}"
    if norm[0] == "mod":
        return f"{text} % {norm[1]}"
    low, high = number(norm[1]), number(norm[2])
    return f"{text} < {low} ? {low} : {text} > {high} ? {high} : {text}"


class Printer:
    """C text. With `replayed`, a program in which brute force takes part."""

    def __init__(self, unit, replayed=False):
        self.unit = unit
        self.replayed = replayed
        self.counts = {v.name: v.count for v in unit.globals if v.count}
        self.function = None

    # Expressions.

    def expr(self, e):
        kind = e[0]
        if kind == "num":
            return number(e[1], e[2])
        if kind == "var":
            return e[1]
        if kind in ("bin", "and", "or"):
            op = {"and": "&&", "or": "||"}.get(kind) or e[1]
            a, b = e[-2:]
            return f"({self.expr(a)} {op} {self.expr(b)})"
        if kind == "un":
            return f"({e[1]}{self.expr(e[2])})"
        if kind == "not":
            return f"(!{self.expr(e[1])})"
        if kind == "cast":
            return f"(({TYPES[e[1]][0]}){self.expr(e[2])})"
        if kind == "cond":
            return "({} ? {} : {})".format(*map(self.expr, e[1:]))
        if kind == "idx":
            return f"{e[1]}[{self.expr(e[2])} & {self.counts[e[1]] - 1}]"
        if kind == "fld":
            return f"{e[1]}.{e[2]}"
        if kind == "arrow":
            return f"{e[1]}->{e[2]}"
        if kind == "deref":
            return f"(*{e[1]})"
        if kind == "addr":
            return f"&{self.expr(e[1])}"
        if kind == "same":
            return f"({e[1]} == {e[2]})"
        if kind == "input":
            if e[1] == 1:
                return "__VERIFIER_nondet_bool()"
            return f"(__VERIFIER_nondet_int() & {e[1]})"
        raise ValueError(kind)

    def condition(self, e):
        text = self.expr(e)
        return text if text.startswith("(") and e[0] != "cast" else f"({text})"

    # Statements.

    def block(self, body, depth):
        text = "".join(self.statement(s, depth + 1) for s in body)
        return "{\n" + text + "  " * depth + "}"

    def tick(self, depth):
        return "  " * depth + "tick();\n" if self.replayed else ""

    def loop(self, body, depth):
        inner = "".join(self.statement(s, depth + 1) for s in body)
        return "{\n" + self.tick(depth + 1) + inner + "  " * depth + "}"

    def arguments(self, values):
        return ", ".join(self.expr(v) for v in values)

    def called(self, place, name, values, norm=None):
        call = f"{name}({self.arguments(values)})"
        if place is None:
            return f"{call};"
        if norm and norm[0] == "clamp":
            kind = "int"
            return (f"{{ {kind} r_ = {call}; {self.expr(place)} = "
                    f"{normalised('r_', norm)}; }}")
        return f"{self.expr(place)} = {normalised(call, norm)};"

    def statement(self, s, depth):
        method = getattr(self, "print_" + s[0])
        text = method(s, depth)
        return text if s[0] == "label" else "  " * depth + text + "\n"

    def print_assign(self, s, _):
        return f"{self.expr(s[1])} = {self.expr(s[2])};"

    def print_update(self, s, _):
        place, op, value = self.expr(s[1]), s[2], s[3]
        if op in "+-" and value[:2] == ["num", 1] and value[2] == "int":
            return f"{place}{op}{op};"
        return f"{place} {op}= {self.expr(value)};"

    def print_nondet(self, s, _):
        return (f"{self.expr(s[1])} = "
                f"{normalised(NONDET[s[2]] + '()', s[3])};")

    def print_point(self, s, _):
        return f"{s[1]} = &{self.expr(s[2])};"

    def print_assume(self, s, _):
        return f"__VERIFIER_assume({self.expr(s[1])});"

    def print_assert(self, s, _):
        return f"if (!{self.expr(s[1])}) reach_error();"

    def print_call(self, s, _):
        return self.called(s[1], s[2], s[3], s[4])

    def print_helper(self, s, _):
        return self.called(s[1], s[2], s[3])

    def print_self(self, s, _):
        name = self.function.name
        if self.replayed:
            name = f"abstract_{name}"
        return self.called(s[1], name, s[2], s[3])

    def print_if(self, s, depth):
        text = f"if {self.condition(s[1])} {self.block(s[2], depth)}"
        return text + (f" else {self.block(s[3], depth)}" if s[3] else "")

    def print_while(self, s, depth):
        return f"while {self.condition(s[1])} {self.loop(s[2], depth)}"

    def print_do(self, s, depth):
        return f"do {self.loop(s[1], depth)} while {self.condition(s[2])};"

    def print_for(self, s, depth):
        i = s[1]
        return (f"for ({i} = {s[2]}; {i} < {s[3]}; {i}++) "
                f"{self.loop(s[4], depth)}")

    def print_switch(self, s, depth):
        text = f"switch ({self.expr(s[1])}) {{\n"
        for values, body, falls in s[2]:
            for value in values:
                name = "default" if value is None else f"case {value}"
                text += "  " * (depth + 1) + f"{name}:\n"
            text += "".join(self.statement(b, depth + 2) for b in body)
            text += "  " * (depth + 2) + (";\n" if falls else "break;\n")
        return text + "  " * depth + "}"

    def print_local(self, s, depth):
        text = "{\n" + "  " * (depth + 1) + self.variable(s[1]) + ";\n"
        text += "".join(self.statement(b, depth + 1) for b in s[2])
        return text + "  " * depth + "}"

    def print_label(self, s, depth):
        return f"{s[1]}:;\n" + self.tick(depth)

    def print_goto(self, s, _):
        return f"goto {s[1]};"

    def print_break(self, _, __):
        return "break;"

    def print_continue(self, _, __):
        return "continue;"

    def print_return(self, s, _):
        return f"return {self.expr(s[1])};" if s[1] else "return;"

    def print_abort(self, _, __):
        return "abort();"

    def print_error(self, _, __):
        return "reach_error();"

    # Declarations.

    def variable(self, v):
        text = declare(v.type, v.name, v.count)
        if v.static and not self.replayed:
            text = "static " + text
        if v.init is not None:
            values = ", ".join(map(str, v.init))
            braces = v.count or v.type.startswith("struct")
            return f"{text} = " + (f"{{{values}}}" if braces else values)
        if self.replayed and not v.static and v.type in TYPES:
            return f"{text} = {NONDET[v.type]}()"
        return text

    def function_head(self, f):
        result = TYPES[f.result][0] if f.result else "void"
        parameters = ", ".join(declare(p.type, p.name) for p in f.parameters)
        return f"{result} {f.name}({parameters or 'void'})"

    def define(self, f, static=False):
        self.function = f
        for v in f.locals:
            if v.count:
                self.counts[v.name] = v.count
        text = ("static " if static else "") + self.function_head(f) + " {\n"
        for v in f.locals:
            if not (self.replayed and v.static):
                text += f"  {self.variable(v)};\n"
        for i in f.inputs:
            if i.norm and i.norm[0] == "const":
                text += f"  {i.name} = {i.norm[1]};\n"
            elif i.norm:
                text += f"  {i.name} = {normalised(i.name, i.norm)};\n"
        for s in f.body:
            text += self.statement(s, 1)
        return text + "}\n"

    def file(self, cases=None):
        unit = self.unit
        text = ""
        for name, fields in unit.structs.items():
            members = " ".join(f"{declare(kind, field)};"
                               for field, kind in fields)
            text += f"{name} {{ {members} }};\n"
        for v in unit.globals:
            text += f"{self.variable(v)};\n"
        for r in unit.routines:
            text += f"extern {self.function_head(r)};\n"
        for case in unit.cases if cases is None else cases:
            text += "\n" + self.case(case)
        needed = [line for line in HEADER.splitlines(keepends=True)
                  if line.split("(")[0].split()[-1] + "(" in text]
        return "".join(needed) + text

    def case(self, case):
        helpers = "".join(self.define(h, static=True) for h in case.helpers)
        return helpers + self.define(case.function)
