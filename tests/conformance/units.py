#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes what the random procedures of a file share: globals and routines."""

import random

from generate import ProcedureMaker
from language import Event, Routine, Unit, Variable, limits
from processes import Process
from random_expressions import COMPARISONS, num, var

ACTIONS = ["a", "b", "c", "d"]


def return_conditions(rng, kind):
    low, _ = limits(kind)
    k = rng.randint(max(-2, low), 3)
    return rng.choice([("value", k), ("value", k), ("any",),
                       ("range", k, k + rng.randint(0, 2)),
                       ("test", rng.choice(COMPARISONS), max(k, 0) + 1),
                       ("bits", rng.choice([1, 3]), rng.randint(0, 1))])


def routine_process(rng, kind):
    """A process that mostly returns, with a few actions before."""
    size = rng.randint(1, 3)
    moves = []
    for state in range(size):
        for _ in range(rng.choice([1, 1, 2])):
            pick = rng.random()
            if pick < 0.5 or state == size - 1:
                label = return_conditions(rng, kind) if kind else "return"
                moves.append((state, label, size))
            elif pick < 0.6:
                moves.append((state, "tau", rng.randint(0, size - 1)))
            else:
                moves.append((state, rng.choice(ACTIONS),
                              rng.randint(0, size - 1)))
        if state + 1 < size:
            moves.append((state, rng.choice(ACTIONS), state + 1))
    if rng.random() < 0.05:
        moves = [m for m in moves if m[0] != size - 1]  # Never comes back.
    return Process("", size + 1, moves).trimmed()


def routine_arms(rng, name, kind, parameters):
    numbers = [p for p in parameters if not p.type.endswith("*")]
    guards = [None]
    if numbers and rng.random() < 0.7:
        k = rng.randint(0, 2)
        x = var(numbers[0].name)
        guards = rng.choice([
            [["bin", "<", x, num(k)], None],
            [["bin", "==", x, num(k)], ["bin", ">", x, num(k)], None],
            [["bin", "<=", x, num(k)], ["bin", ">", x, num(k)]]])
    arms = []
    for i, guard in enumerate(guards):
        process = routine_process(rng, kind)
        process.name = f"R_{name}_{i}"
        process.in_place = process.can_be_in_place() and rng.random() < 0.4
        arms.append((guard, process))
    return arms


def make_unit(seed):
    """The frame of a file: globals, structs and routines."""
    rng = random.Random(f"unit {seed}")
    structs = {"struct s0": [("f", "uchar"), ("g", "int")],
               "struct s1": [("f", "int"), ("g", "schar"), ("h", "uint")]}
    globals_ = [Variable("gu", "uchar", init=[rng.randint(0, 2)]),
                Variable("gi", "int", init=[rng.randint(-1, 2)]),
                Variable("gn", "uint", init=[rng.randint(0, 2)]),
                Variable("ga", "uchar", 4, [0, 1, rng.randint(0, 3), 0]),
                Variable("gs", rng.choice(list(structs)), None, [1, 2])]
    routines = []
    for action in ACTIONS:
        process = Process(f"R_do_{action}", 3,
                          [(0, action, 1), (1, "return", 2)])
        process.in_place = rng.random() < 0.5
        routines.append(Routine(f"do_{action}", None, [], [(None, process)]))
    shapes = [("mv", None, []), ("ch", None, ["int"]), ("rd", "int", ["int"]),
              ("tk", "uchar", ["uchar"]), ("lv", "schar", []),
              ("wr", "int", ["uchar*"]), ("cn", "uint", ["uint", "int"])]
    for name, kind, types in rng.sample(shapes, 4):
        parameters = [Variable(f"x{i}", t) for i, t in enumerate(types)]
        arms = routine_arms(rng, name, kind, parameters)
        modifies = []
        if name == "wr":
            modifies = [["deref", "x0"]]
        elif rng.random() < 0.3:
            modifies = [var("gu")]
        routines.append(Routine(name, kind, parameters, arms, modifies))
    return Unit(structs, globals_, routines, [])


def make_case(unit, seed, name, reach=False):
    """A procedure without a specification."""
    rng = random.Random(f"case {seed}")
    case = ProcedureMaker(rng, unit, name, reach, name == "main").make()
    for h in case.helpers:
        if not reach and rng.random() < 0.3:
            add_event(rng, unit, case, h)
    return case


def add_event(rng, unit, case, helper):
    moment = rng.choice(["call", "return"])
    guard = None
    if moment == "return" and helper.result and rng.random() < 0.6:
        guard = ["bin", rng.choice(COMPARISONS), var("result"),
                 num(rng.randint(0, 2))]
    elif moment == "call" and rng.random() < 0.5:
        numbers = [p for p in helper.parameters if p.name == "n"]
        if numbers:
            guard = ["bin", rng.choice(COMPARISONS), var("n"),
                     num(rng.randint(0, 2))]
    unit.events.append(Event(f"ev_{helper.name[2:]}", moment, helper.name,
                             guard))
    case.features.add("event")
