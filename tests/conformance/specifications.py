#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes random specifications for given procedures, and prints .agon files.

Most come from what the procedure does: its transition system, determinised or
not, with states merged, moves dropped, states split and silent steps added. So
about half of the questions are answered by "holds", and some specifications
have the traces of the procedure but do not simulate it.
"""

import dataclasses

from language import Printer
from processes import Process, allows
from units import ACTIONS, return_conditions

LARGEST = 9  # States of a specification.


def choose_returns(rng, system, kind):
    """Return conditions to mention: none, or some that mostly cover."""
    values = sorted({label[1] for label in system.labels
                     if isinstance(label, tuple) and label[1] is not None})
    if rng.random() < 0.2:
        return []
    if kind is None:
        return ["return"]
    pick = rng.random()
    if pick < 0.15:
        return [("any",)]
    if pick < 0.6 and len(values) <= 5:
        result = [("value", v) for v in values]
        if len(result) > 1 and rng.random() < 0.15:
            result.pop(rng.randrange(len(result)))
        if rng.random() < 0.15:
            result.append(return_conditions(rng, kind))
        return result
    if pick < 0.85:
        middle = rng.choice(values or [0])
        if middle < 0 and kind == "uint":
            middle = 1
        if kind != "uint" or middle > 0:
            return rng.choice([
                [("test", "<", middle), ("test", ">=", middle)],
                [("value", middle), ("test", "!=", middle)],
                [("value", middle), ("any",)]])
    return [return_conditions(rng, kind) for _ in range(rng.randint(1, 3))] + \
        ([("any",)] if rng.random() < 0.4 else [])


class Maker:
    """Specifications for one procedure. Those that decide early mostly have
    all its traces and do not simulate it."""

    def __init__(self, rng, system, kind, name, early=False):
        self.rng, self.system, self.kind, self.name = rng, system, kind, name
        self.early = early
        present = sorted(x for x in system.labels
                         if not isinstance(x, tuple) and x != "error")
        self.present = present
        self.actions = [x for x in present if rng.random() > 0.15]
        self.returns = choose_returns(rng, system, kind)
        self.extension = [x for x in ACTIONS if rng.random() < 0.07]

    def view(self, label):
        """A label as the specification will see it."""
        if not isinstance(label, tuple):
            return label if label in self.actions else None
        if not self.returns:
            return None
        if label[1] is None:
            return "return"
        return ("class", *(allows(r, label[1]) for r in self.returns))

    def spoken(self, seen):
        """The labels of a specification that allow what was seen."""
        if isinstance(seen, tuple):
            return [r for r, holds in zip(self.returns, seen[1:]) if holds]
        return ["tau" if seen is None else seen]

    def speak(self, triples):
        """Moves with labels of specifications; classes choose a condition."""
        moves = set()
        for source, seen, target in triples:
            labels = self.spoken(seen)
            if labels and self.rng.random() < 0.9:
                labels = [self.rng.choice(labels)]
            moves.update((source, label, target) for label in labels)
        return sorted(moves, key=repr)

    def determinised(self):
        """The traces of the procedure, as (source, seen, target)."""
        views = {label: self.view(label) for label in self.system.labels}
        views[None] = None
        view = [[(views[label], t) for label, t in moves]
                for moves in self.system.moves]

        def closure(states):
            seen, stack = set(states), list(states)
            while stack:
                for label, target in view[stack.pop()]:
                    if label is None and target not in seen:
                        seen.add(target)
                        stack.append(target)
            return frozenset(seen)

        first = closure([0])
        number, queue, triples = {first: 0}, [first], []
        for states in queue:
            rows = {}
            for s in states:
                for label, target in view[s]:
                    if label is not None:
                        rows.setdefault(label, set()).add(target)
            for label in sorted(rows, key=repr):
                target = closure(rows[label])
                if target not in number:
                    number[target] = len(number)
                    queue.append(target)
                triples.append((number[states], label, number[target]))
            if len(queue) > 60:
                break
        return minimised(triples, len(number))

    def quotient(self, triples, size, blocks):
        """Merges states at random; this adds behaviour and removes none."""
        block = [0] + [self.rng.randrange(blocks) for _ in range(size - 1)]
        return sorted({(block[s], label, block[t]) for s, label, t in triples
                       if label is not None or block[s] != block[t]},
                      key=repr), blocks

    def derived(self):
        r = self.rng
        if self.early or r.random() < 0.7:
            triples, size = self.determinised()
            if size > LARGEST or not self.early and r.random() < 0.15:
                triples, size = self.quotient(triples, size,
                                              r.randint(2, LARGEST - 2))
        else:
            triples = [(s, self.view(label), t)
                       for s, moves in enumerate(self.system.moves)
                       for label, t in moves]
            triples, size = self.quotient(triples, len(self.system.moves),
                                          r.randint(2, 5))
        return Process(self.name, size, self.speak(triples))

    def random(self):
        r = self.rng
        size = r.randint(1, 5)
        labels = self.actions * 3 + self.returns * 2 + ["tau", r.choice(ACTIONS)]
        moves = {(r.randrange(size), r.choice(labels), r.randrange(size))
                 for _ in range(r.randint(1, 3 * size))}
        return Process(self.name, size, sorted(moves, key=repr))

    def make(self):
        r = self.rng
        changes = [drop, drop, redirect, split, silent_step, shortcut]
        if self.early:
            changes = [split, split, split, silent_step]
        process = self.derived() if self.early or r.random() < 0.8 else \
            self.random()
        for _ in range(r.choice([0, 1, 1, 2, 2, 3, 4]) + self.early):
            process = r.choice(changes)(r, process)
        process = process.trimmed()
        process.extension = sorted(
            {x for x in [*self.extension, *self.actions]
             if x not in process.actions()})
        missing = [x for x in self.returns if x not in process.returns()]
        process.extension += [x for x in missing
                              if x == "return" or x[0] in ("value", "any")]
        process.in_place = process.can_be_in_place() and r.random() < 0.3
        process.hidden = not process.in_place and r.random() < 0.2 and any(
            label == "tau" for _, label, _ in process.moves)
        return process


def minimised(triples, size):
    """Merges states of a deterministic system that have the same traces."""
    block = [0] * size
    while True:
        rows = [[block[s]] + sorted(((label, block[t]) for f, label, t
                                     in triples if f == s), key=repr)
                for s in range(size)]
        names = {}
        fresh = [names.setdefault(repr(row), len(names)) for row in rows]
        if len(names) == len(set(block)):
            break
        block = fresh
    order = {}
    for b in block:
        order.setdefault(b, len(order))
    return sorted({(order[block[s]], label, order[block[t]])
                   for s, label, t in triples}, key=repr), len(order)


# --- Changes ----------------------------------------------------------------

def drop(rng, p):
    if not p.moves:
        return p
    at = rng.randrange(len(p.moves))
    return dataclasses.replace(p, moves=p.moves[:at] + p.moves[at + 1:])


def redirect(rng, p):
    if not p.moves:
        return p
    moves = list(p.moves)
    at = rng.randrange(len(moves))
    moves[at] = (*moves[at][:2], rng.randrange(p.size))
    return dataclasses.replace(p, moves=moves)


def split(rng, p):
    """Two copies of a state share its moves: the traces stay, but whoever
    comes has to decide early between them."""
    states = [s for s in range(p.size)
              if sum(1 for f, _, _ in p.moves if f == s) > 1]
    if not states or p.size > LARGEST:
        return p
    s, copy = rng.choice(states), p.size
    moves, size = [], p.size + 1
    for f, label, t in p.moves:
        if f == s and rng.random() < 0.5:
            f = copy
        moves.append((f, label, t))
        if t == s:
            moves.append((f, label, copy))
    if s == 0:  # The first state has to choose silently.
        start = size
        moves = [(start, "tau", 0), (start, "tau", copy), *moves]
        swap = {0: start, start: 0}
        moves = [(swap.get(f, f), label, swap.get(t, t))
                 for f, label, t in moves]
        size += 1
    return dataclasses.replace(p, size=size,
                               moves=list(dict.fromkeys(moves)))


def silent_step(rng, p):
    """A silent step before or after a move."""
    if not p.moves:
        return p
    moves = list(p.moves)
    at = rng.randrange(len(moves))
    f, label, t = moves.pop(at)
    if rng.random() < 0.5:
        moves += [(f, label, p.size), (p.size, "tau", t)]
    else:
        moves += [(f, "tau", p.size), (p.size, label, t)]
    return dataclasses.replace(p, size=p.size + 1, moves=moves)


def shortcut(rng, p):
    """A new move between old states."""
    labels = sorted({label for _, label, _ in p.moves} | {"tau"}, key=repr)
    move = (rng.randrange(p.size), rng.choice(labels), rng.randrange(p.size))
    return dataclasses.replace(p, moves=list(dict.fromkeys([*p.moves, move])))


# --- Text -------------------------------------------------------------------

def file_text(unit, cases=None):
    """The .agon file of a unit."""
    cases = unit.cases if cases is None else cases
    used = {r.name for r in unit.routines}
    text = ""
    for r in unit.routines:
        if r.name in used:
            text += _abstraction(unit, "assume", r, r.arms, r.modifies)
    names = {h.name for c in cases for h in c.helpers}
    for e in unit.events:
        if e.function in names:
            text += _event(unit, e, next(h for c in cases for h in c.helpers
                                         if h.name == e.function))
    for case in cases:
        text += "\n" + _abstraction(unit, "verify", case.function, case.arms)
    return text


def _abstraction(unit, word, function, arms, modifies=()):
    printer = Printer(unit)
    text = ""
    for _, process in arms:
        if not process.in_place:
            text += process.definition()
    text += f"{word} {printer.function_head(function)}"
    guarded = any(guard for guard, _ in arms)
    for guard, process in arms:
        name = process.place() if process.in_place else process.name
        if guard:
            text += f"\n  when {printer.condition(guard)} : {name}"
        elif guarded:
            text += f"\n  otherwise : {name}"
        else:
            text += f" : {name}"
    if modifies:
        text += f"\n  modifies {', '.join(map(printer.expr, modifies))}"
    return text + ";\n"


def _event(unit, event, function):
    printer = Printer(unit)
    names = ", ".join(p.name for p in function.parameters)
    target = event.function
    if event.moment == "call" and event.guard:
        target += f"({names})"
    guard = f" when {printer.condition(event.guard)}" if event.guard else ""
    return f"event {event.action} = {event.moment} {target}{guard};\n"
