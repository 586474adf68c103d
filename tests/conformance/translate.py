#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Translates expressions to Python, with the arithmetic of C."""

from language import TYPES, limits


def covers(outer, inner):
    """Whether every value of the type `inner` is one of `outer`."""
    if outer == "bool":
        return inner == "bool"
    (low, high), (least, greatest) = limits(outer), limits(inner)
    return low <= least and greatest <= high


def converted(text, kind, source=None):
    """Text of a conversion to a type, from a type or from any number."""
    if source is not None and covers(kind, source):
        return text
    if kind == "bool":
        return f"(1 if {text} else 0)"
    _, bits, signed = TYPES[kind]
    mask = (1 << bits) - 1
    if not signed:
        return f"({text} & {mask})"
    half = 1 << (bits - 1)
    return f"((({text} + {half}) & {mask}) - {half})"


def promoted(kind):
    return kind if kind in ("int", "uint", "llong") else "int"


def common(a, b):
    """The type of the usual arithmetic conversions."""
    a, b = promoted(a), promoted(b)
    for kind in ("llong", "uint"):
        if kind in (a, b):
            return kind
    return "int"


class Frame:
    """Where the variables of an active function are."""

    def __init__(self, result=None):
        self.slots = {}  # name: (slot, type, count)
        self.labels = {}  # name: place
        self.result = result  # (slot, type) of the value returned.
        self.end = None  # Where a return leads to; None: out of the program.


class Expressions:
    """Translates expressions to Python over the list `v` of values."""

    def __init__(self, structs):
        self.fields = {}
        for name, members in structs.items():
            self.fields[name] = {field: (i, kind)
                                 for i, (field, kind) in enumerate(members)}

    def place(self, frame, e):
        """The index of an lvalue, as text, and its type."""
        kind = e[0]
        if kind == "deref":
            slot, pointer, _ = frame.slots[e[1]]
            return f"v[{slot}]", pointer[:-1]
        if kind == "arrow":
            slot, pointer, _ = frame.slots[e[1]]
            offset, type_ = self.fields[pointer[:-1]][e[2]]
            return f"v[{slot}] + {offset}", type_
        slot, type_, count = frame.slots[e[1]]
        if kind == "var":
            return str(slot), type_
        if kind == "fld":
            offset, type_ = self.fields[type_][e[2]]
            return str(slot + offset), type_
        index, _ = self.value(frame, e[2])
        return f"{slot} + ({index} & {count - 1})", type_

    def truth(self, frame, e):
        text, _ = self.value(frame, e)
        return text

    def value(self, frame, e):
        """Text and type of an expression."""
        kind = e[0]
        if kind == "num":
            return f"({e[1]})", e[2]
        if kind in ("var", "idx", "fld", "arrow", "deref"):
            index, type_ = self.place(frame, e)
            return f"v[{index}]", type_
        if kind == "bin":
            return self.binary(frame, *e[1:])
        if kind in ("and", "or"):
            a, b = self.truth(frame, e[1]), self.truth(frame, e[2])
            return f"(1 if {a} {kind} {b} else 0)", "int"
        if kind in ("un", "not"):
            return self.unary(frame, "!" if kind == "not" else e[1], e[-1])
        if kind == "cast":
            text, type_ = self.value(frame, e[2])
            return converted(text, e[1], type_), e[1]
        if kind == "cond":
            (a, type_a), (b, type_b) = (self.value(frame, x) for x in e[2:])
            type_ = common(type_a, type_b)
            return (f"({converted(a, type_, type_a)} if "
                    f"{self.truth(frame, e[1])} else "
                    f"{converted(b, type_, type_b)})"), type_
        if kind == "same":
            a, b = frame.slots[e[1]][0], frame.slots[e[2]][0]
            return f"(1 if v[{a}] == v[{b}] else 0)", "int"
        raise ValueError(kind)

    def unary(self, frame, op, e):
        text, type_ = self.value(frame, e)
        if op == "!":
            return f"(0 if {text} else 1)", "int"
        result = promoted(type_)
        return converted(f"({op}{text})", result), result

    def binary(self, frame, op, left, right):
        (a, type_a), (b, type_b) = (self.value(frame, x)
                                    for x in (left, right))
        if op in ("<<", ">>"):
            type_ = promoted(type_a)
            return converted(f"({a} {op} {b})", type_), type_
        type_ = common(type_a, type_b)
        a, b = converted(a, type_, type_a), converted(b, type_, type_b)
        if op in ("<", "<=", ">", ">=", "==", "!="):
            return f"(1 if {a} {op} {b} else 0)", "int"
        if op in ("/", "%"):
            name = "quotient" if op == "/" else "remainder"
            return converted(f"{name}({a}, {b})", type_), type_
        if op in ("&", "|", "^"):
            return f"({a} {op} {b})", type_
        return converted(f"({a} {op} {b})", type_), type_


def quotient(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def remainder(a, b):
    return a - b * quotient(a, b)


def normal(value, norm, kind):
    """A value of a type after a norm; the type of the result is at most int."""
    if norm is None:
        return value
    if norm[0] == "mask":
        return value & norm[1]
    if norm[0] == "mod":
        return remainder(value, norm[1])
    if norm[0] == "const":
        return norm[1]
    return min(max(value, norm[1]), norm[2])


def sample(kind, constants=()):
    """Values of a type: all, or some of each kind that norms, guards and
    comparisons with the constants can tell apart."""
    low, high = limits(kind)
    if high - low < 256:
        return range(low, high + 1)
    some = {low, low + 1, high - 1, high, *range(-40, 41)}
    for constant in constants:
        some.update(range(constant - 10, constant + 11))
    return sorted(x for x in some if low <= x <= high)
