#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cuts a failing case down while it still fails."""

import copy
import dataclasses
import time

from language import Unit, nodes

BLOCKS = {"if": (2, 3), "while": (2,), "do": (1,), "for": (4,), "local": (2,)}


def blocks(body):
    """All lists of statements in a body, itself first."""
    yield body
    for s in body:
        for at in BLOCKS.get(s[0], ()):
            yield from blocks(s[at])
        if s[0] == "switch":
            for part in s[2]:
                yield from blocks(part[1])


def functions(case):
    return [case.function, *case.helpers]


def edits_of_statements(case):
    """Functions that change a copy of the case, one step each."""
    for f, function in enumerate(functions(case)):
        for b, block in enumerate(blocks(function.body)):
            for i, s in enumerate(block):
                yield lambda c, f=f, b=b, i=i: _block(c, f, b).pop(i)
                for at in BLOCKS.get(s[0], ()):
                    if s[0] != "local":
                        yield lambda c, f=f, b=b, i=i, at=at: _unwrap(
                            _block(c, f, b), i, at)


def _block(case, f, b):
    return list(blocks(functions(case)[f].body))[b]


def _unwrap(block, i, at):
    block[i:i + 1] = block[i][at]


def edits_of_expressions(case):
    for f, function in enumerate(functions(case)):
        for n, node in enumerate(nodes(function.body)):
            if node[0] in ("bin", "and", "or", "cond"):
                for part in node[-2:]:
                    yield lambda c, f=f, n=n, part=part: _replace(c, f, n,
                                                                  part)
            elif node[0] in ("un", "not", "cast"):
                yield lambda c, f=f, n=n, part=node[-1]: _replace(c, f, n,
                                                                  part)
            if node[0] in ("bin", "and", "or", "cond", "un", "idx", "var"):
                for value in (0, 1):
                    yield lambda c, f=f, n=n, value=value: _replace(
                        c, f, n, ["num", value, "int"])


def _replace(case, f, n, part):
    node = list(nodes(functions(case)[f].body))[n]
    node[:] = copy.deepcopy(part)


def edits_of_arms(case):
    for a, (_, process) in enumerate(case.arms):
        for m in range(len(process.moves)):
            yield lambda c, a=a, m=m: c.arms[a][1].moves.pop(m)
        for x in range(len(process.extension)):
            yield lambda c, a=a, x=x: c.arms[a][1].extension.pop(x)
        for m in range(len(process.moves)):
            if process.moves[m][0] != process.moves[m][2]:
                yield lambda c, a=a, m=m: _merge(c.arms[a][1], m)


def _merge(process, m):
    source, _, target = process.moves[m]
    low, high = sorted((source, target))

    def renamed(s):
        return low if s == high else s
    process.moves[:] = list(dict.fromkeys(
        (renamed(s), label, renamed(t)) for s, label, t in process.moves))


def edits_of_declarations(case):
    for f, function in enumerate(functions(case)):
        used = {n[1] for n in nodes(function.body) if len(n) > 1
                and isinstance(n[1], str)}
        for i, v in enumerate(function.locals):
            if v.name not in used:
                yield lambda c, f=f, i=i: functions(c)[f].locals.pop(i)
        for i, v in enumerate(function.inputs):
            if v.name not in used:
                yield lambda c, f=f, i=i: functions(c)[f].inputs.pop(i)
        names = {i.name for i in function.inputs}
        if f == 0:
            for i, v in enumerate(function.parameters):
                if v.name not in used | names:
                    yield lambda c, i=i: c.function.parameters.pop(i)
    called = {n[2] for f in functions(case) for n in nodes(f.body)
              if n[0] == "helper"}
    for i, h in enumerate(case.helpers):
        if h.name not in called:
            yield lambda c, i=i: c.helpers.pop(i)


def edits(case):
    yield from edits_of_statements(case)
    yield from edits_of_arms(case)
    yield from edits_of_declarations(case)
    yield from edits_of_expressions(case)


def with_needed_only(unit, case):
    """The unit with one case, and the routines and globals that it uses."""
    trees = [f.body for f in functions(case)]
    called = {n[2] for t in trees for n in nodes(t) if n[0] == "call"}
    routines = [r for r in unit.routines if r.name in called]
    trees += [r.modifies for r in routines]
    trees += [g for arms in [case.arms, *(r.arms for r in routines)]
              for g, _ in arms if g]
    words = {i.name for i in case.function.inputs}
    words |= {n[1] for t in trees for n in nodes(t) if len(n) > 1
              and isinstance(n[1], str)}
    names = {h.name for h in case.helpers}
    globals_ = [v for v in unit.globals if v.name in words]
    kinds = {v.type.rstrip("*") for f in functions(case)
             for v in [*globals_, *f.locals, *f.parameters]}
    return Unit({k: v for k, v in unit.structs.items() if k in kinds},
                globals_, routines, [case],
                [e for e in unit.events if e.function in names])


def tidy(case):
    """Whether the case still makes sense; unreachable states are removed."""
    case.arms = [(g, p.trimmed()) for g, p in case.arms]
    return all(f.body and f.body[-1][0] == "return" and f.body[-1][1]
               for f in functions(case) if f.result)


def shrink(unit, case, fails, seconds=120):
    """A smaller unit of one case for which `fails(unit, case)` holds too."""
    end = time.monotonic() + seconds
    best = copy.deepcopy(case)
    small = with_needed_only(unit, best)
    if not fails(small, best):
        return unit, case
    for a in range(len(best.arms)):
        if len(best.arms) > 1 and best.arms[a][0]:
            one = dataclasses.replace(best, arms=[best.arms[a]])
            if fails(with_needed_only(unit, one), one):
                best = one
                break
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        for edit in list(edits(best)):
            if time.monotonic() > end:
                break
            attempt = copy.deepcopy(best)
            try:
                edit(attempt)
            except (IndexError, KeyError, TypeError):
                continue
            if not tidy(attempt) or attempt == best:
                continue
            if fails(with_needed_only(unit, attempt), attempt):
                best, progress = attempt, True
                break
    return with_needed_only(unit, best), best
