#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts random procedures and specifications together, with the true answers."""

import random

from language import nodes
from automaton import TooLarge
from machine import Machine
from oracle import (Answer, Specification, System, error_reached,
                    missing_trace, simulated)
from processes import Process
from random_expressions import COMPARISONS, num, var
from specifications import Maker
from units import make_case, make_unit


def is_recursive(case):
    return any(s[0] == "self" for s in nodes(case.function.body))


def choose_guards(rng, case):
    """The guards of the arms; None stands for `otherwise` or no guard."""
    inputs = [i for i in case.function.inputs
              if any(p.name == i.name for p in case.function.parameters)
              or i.name in ("gu", "gi", "gn")]
    if not inputs or rng.random() < 0.55 or is_recursive(case):
        return [None]
    x = var(rng.choice(inputs).name)
    k = num(rng.randint(0, 3))
    y = var(rng.choice(inputs).name)
    other = ["bin", rng.choice(COMPARISONS), y, num(rng.randint(0, 2))]
    return rng.choice([
        [["bin", rng.choice(COMPARISONS), x, k]],
        [["bin", rng.choice(COMPARISONS), x, k], None],
        [["bin", "<", x, k], ["bin", ">", x, k], None],
        [["bin", "==", x, k], ["bin", ">", x, k]],
        [["and", ["bin", ">=", x, k], other], None],
        [["or", ["bin", "==", x, k], other]]])


def opening(case):
    """What a recursive call is taken to do before there is anything better."""
    label = ("any",) if case.function.result else "return"
    return Process("", 2, [(0, label, 1)])


def make_process(rng, case, system, name):
    """A specification, if a few attempts find one with the wished verdict."""
    wish = rng.choice(["simulated"] * 4 + ["contained"] * 3 + ["neither"] * 4)
    for _ in range(6):
        maker = Maker(rng, system, case.function.result, name,
                      early=wish == "contained")
        process = maker.make()
        specification = Specification(process)
        verdict = "simulated" if simulated(system, specification) else (
            "neither" if missing_trace(system, specification) else "contained")
        if verdict == wish:
            break
    return process


def make_arms(rng, unit, case):
    """The arms, and what the procedure does if nothing depends on them."""
    main = case.function.name == "main"
    arm = (None, opening(case)) if is_recursive(case) else None
    system = System(Machine(unit, case, arm, main))
    arms = []
    guards = choose_guards(rng, case)
    for i, guard in enumerate(guards):
        process = make_process(rng, case, system,
                               f"S_{case.function.name}_{i}")
        arms.append((guard, process))
    return arms, None if is_recursive(case) or any(guards) else system


def make_question(unit, seed, name):
    """A case and its answers, one for each arm; None if it is too large."""
    rng = random.Random(f"specification {seed}")
    known = len(unit.events)
    case = make_case(unit, seed, name)
    try:
        case.arms, system = make_arms(rng, unit, case)
        main = name == "main"
        answers = [Answer(unit, case, arm, main, system) for arm in case.arms]
    except TooLarge:
        del unit.events[known:]
        return None
    return case, answers


def make_questions(seed, count):
    """A unit with `count` cases, and the answers to each."""
    unit = make_unit(seed)
    answers, attempt = [], 0
    while len(unit.cases) < count:
        index = len(unit.cases)
        name = "main" if index == 0 and seed % 2 == 0 else f"proc{index}"
        made = make_question(unit, f"{seed}.{attempt}", name)
        attempt += 1
        if made:
            unit.cases.append(made[0])
            answers.append(made[1])
    return unit, answers


def make_reach(seed):
    """A unit with one procedure, and whether it reaches the error."""
    attempt = 0
    while True:
        unit = make_unit(seed)
        unit.routines = []
        name = "main" if seed % 2 else "proc0"
        case = make_case(unit, f"reach {seed}.{attempt}", name, reach=True)
        attempt += 1
        calls = {s[0] for f in [case.function, *case.helpers]
                 for s in nodes(f.body)}
        if not calls & {"assert", "error"}:
            continue
        try:
            answer = error_reached(unit, case, name == "main")
        except TooLarge:
            continue
        unit.cases = [case]
        return unit, answer
