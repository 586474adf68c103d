#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns procedures into automata that can be run in all possible ways."""

import dataclasses

from automaton import Automaton
from language import TYPES, Variable, convert, nodes
from processes import allows, is_return
from translate import (Expressions, Frame, converted, normal, promoted,
                       quotient, remainder, sample)


class Machine(Automaton):
    """A procedure, from its tree. Described routines are their processes."""

    def __init__(self, unit, case, arm, main=False):
        super().__init__()
        self.unit = unit
        self.case = case
        self.expressions = Expressions(unit.structs)
        self.helpers = {h.name: h for h in case.helpers}
        self.routines = {r.name: r for r in unit.routines}
        self.own = arm[1] if arm else None
        self.globals = Frame()
        for v in unit.globals:
            self.allocate(self.globals, v)
        self.enter(case.function, arm, main)
        self.assemble()

    def allocate(self, frame, v):
        size = v.count or len(self.expressions.fields.get(v.type, [0]))
        frame.slots[v.name] = (self.width, v.type, v.count)
        values = list(v.init or [])
        kind = v.type
        values = [convert(x, kind) if kind in TYPES else x for x in values]
        self.initial_values += (values + [0] * size)[:size]
        self.width += size
        return frame.slots[v.name][0]

    def store(self, frame, place, text, kind):
        index, type_ = self.expressions.place(frame, place)
        self.lines.append(f"v[{index}] = {converted(text, type_, kind)}")

    def frame(self, result=None):
        frame = Frame(result)
        frame.slots.update(self.globals.slots)
        return frame

    def declare(self, frame, v):
        """Space for a local variable, and its value where it is declared."""
        slot = self.allocate(frame, v)
        if v.init is None and v.type in TYPES:
            self.choose(slot, sample(v.type))
        elif v.init is not None:
            for i, value in enumerate(v.init):
                kind = v.type if v.type in TYPES else None
                self.set(slot + i, convert(value, kind) if kind else value)

    def enter(self, function, arm, main):
        """Inputs get all values that make a difference, then the body."""
        frame = self.frame()
        for v in function.parameters:
            self.allocate(frame, v)
        for v in function.locals:
            if v.static:
                self.allocate(frame, v)
        guards = [g for g, _ in self.case.arms if g] if arm else []
        if not main:
            self.choose_inputs(frame, function, guards)
        if arm:
            self.assume_guard(frame, arm, guards)
        for i in function.inputs:
            if i.norm and not main:
                self.normalise(frame, i)
        self.body(frame, function)
        if self.here is not None:
            self.end(("return", None))

    def choose_inputs(self, frame, function, guards):
        for i in function.inputs:
            slot, kind, _ = frame.slots[i.name]
            atoms = [self.atom(a, kind) for g in guards for a in nodes(g)
                     if a[0] == "bin" and a[2] == ["var", i.name]]
            classes = {}
            for value in sample(kind):
                key = (normal(value, i.norm, kind),
                       *(atom([value]) for atom in atoms))
                classes.setdefault(key, value)
            self.choose(slot, classes.values())

    def atom(self, atom, kind):
        """The truth of `input op constant`, through the translation: a
        function of a list with the input."""
        frame = Frame()
        frame.slots["x"] = (0, kind, None)
        text, _ = self.expressions.value(
            frame, ["bin", atom[1], ["var", "x"], atom[3]])
        return eval(f"lambda v: {text}",
                    {"quotient": quotient, "remainder": remainder})

    def assume_guard(self, frame, arm, guards):
        own, _ = arm
        for c in [own] if own else [["not", g] for g in guards]:
            self.assume(self.expressions.truth(frame, c))

    def assume(self, test):
        then, otherwise = self.place(), self.place()
        self.branch(test, then, otherwise)
        self.nodes[otherwise] = ("stop",)
        self.here = then

    def normalise(self, frame, i):
        slot, kind, _ = frame.slots[i.name]
        text = f"v[{slot}]"
        if i.norm[0] == "mask":
            text = f"{text} & {i.norm[1]}"
        elif i.norm[0] == "mod":
            text = f"remainder({text}, {i.norm[1]})"
        elif i.norm[0] == "const":
            text = str(convert(i.norm[1], kind))
        else:
            text = f"min(max({text}, {i.norm[1]}), {i.norm[2]})"
        self.set(slot, text)

    def body(self, frame, function):
        for v in function.locals:
            if not v.static:
                self.declare(frame, v)
        self.block(frame, function.body, None, None)

    # Statements. `out` and `again` are where break and continue lead to.

    def block(self, frame, body, out, again):
        for s in body:
            if self.here is None:
                self.here = self.place()  # Reached by a label only, or never.
            getattr(self, "do_" + s[0])(frame, s, out, again)

    def do_assign(self, frame, s, *_):
        self.store(frame, s[1], *self.expressions.value(frame, s[2]))

    def do_update(self, frame, s, *_):
        self.store(frame, s[1], *self.expressions.value(
            frame, ["bin", s[2], s[1], s[3]]))

    def receive(self, frame, place, kind, norm, values):
        """A place gets any of some values of a type, after a norm."""
        index, target = self.expressions.place(frame, place)
        results = {convert(normal(x, norm, kind), target) for x in values}
        if place[0] in ("var", "fld"):
            self.choose(int(index), sorted(results))
            return
        self.allocate(frame, _scalar("input"))
        slot = frame.slots["input"][0]
        self.choose(slot, sorted(results))
        self.lines.append(f"v[{index}] = v[{slot}]")
        self.set(slot, 0)

    def do_nondet(self, frame, s, *_):
        self.receive(frame, s[1], s[2], s[3], sample(s[2]))

    def do_point(self, frame, s, *_):
        self.set(frame.slots[s[1]][0], self.expressions.place(frame, s[2])[0])

    def do_assume(self, frame, s, *_):
        self.assume(self.expressions.truth(frame, s[1]))

    def do_assert(self, frame, s, *_):
        then, otherwise = self.place(), self.place()
        self.branch(self.expressions.truth(frame, s[1]), then, otherwise)
        self.nodes[otherwise] = ("error",)
        self.here = then

    def condition(self, frame, c, then, otherwise):
        """Branches on a condition, from left to right."""
        if c[0] == "input":
            self.end(("goto", [then, otherwise]))
        elif c[0] == "not":
            self.condition(frame, c[1], otherwise, then)
        elif c[0] in ("and", "or"):
            middle = self.place()
            if c[0] == "and":
                self.condition(frame, c[1], middle, otherwise)
            else:
                self.condition(frame, c[1], then, middle)
            self.here = middle
            self.condition(frame, c[2], then, otherwise)
        else:
            self.branch(self.expressions.truth(frame, c), then, otherwise)

    def do_if(self, frame, s, out, again):
        then, otherwise, after = self.place(), self.place(), self.place()
        self.condition(frame, s[1], then, otherwise)
        for start, body in ((then, s[2]), (otherwise, s[3])):
            self.here = start
            self.block(frame, body, out, again)
            if self.here is not None:
                self.jump(after)
        self.here = after

    def do_while(self, frame, s, *_):
        head, inside, after = self.place(), self.place(), self.place()
        self.begin(head, kept=True)
        self.condition(frame, s[1], inside, after)
        self.here = inside
        self.block(frame, s[2], after, head)
        if self.here is not None:
            self.jump(head)
        self.here = after

    def do_do(self, frame, s, *_):
        head, test, after = self.place(), self.place(), self.place()
        self.begin(head, kept=True)
        self.block(frame, s[1], after, test)
        self.begin(test)
        self.condition(frame, s[2], head, after)
        self.here = after

    def do_for(self, frame, s, *_):
        slot, kind, _ = frame.slots[s[1]]
        head, inside = self.place(), self.place()
        step, after = self.place(), self.place()
        self.set(slot, s[2])
        self.begin(head, kept=True)
        self.branch(f"v[{slot}] < {s[3]}", inside, after)
        self.here = inside
        self.block(frame, s[4], after, step)
        self.begin(step)
        self.set(slot, converted(f"v[{slot}] + 1", kind))
        self.jump(head)
        self.here = after

    def do_switch(self, frame, s, _, again):
        value, kind = self.expressions.value(frame, s[1])
        starts = [self.place() for _ in s[2]]
        after = self.place()
        default = after
        for start, (values, _, _) in zip(starts, s[2]):
            if None in values:
                default = start
        for start, (values, _, _) in zip(starts, s[2]):
            for case in values:
                if case is not None:
                    miss = self.place()
                    case = convert(case, promoted(kind))
                    self.branch(f"{value} == {case}", start, miss)
                    self.here = miss
        self.jump(default)
        for i, (_, body, falls) in enumerate(s[2]):
            self.here = starts[i]
            self.block(frame, body, after, again)
            if self.here is not None:
                following = starts[i + 1] if i + 1 < len(starts) else after
                self.jump(following if falls else after)
        self.here = after

    def do_local(self, frame, s, out, again):
        hidden = frame.slots.get(s[1].name)
        self.declare(frame, s[1])
        slot = frame.slots[s[1].name][0]
        self.block(frame, s[2], out, again)
        if self.here is not None:
            self.set(slot, 0)
        frame.slots.pop(s[1].name)
        if hidden:
            frame.slots[s[1].name] = hidden

    def label(self, frame, name):
        if name not in frame.labels:
            frame.labels[name] = self.place()
        return frame.labels[name]

    def do_label(self, frame, s, *_):
        self.begin(self.label(frame, s[1]), kept=True)

    def do_goto(self, frame, s, *_):
        self.jump(self.label(frame, s[1]))

    def do_break(self, _, __, out, ___):
        self.jump(out)

    def do_continue(self, _, __, ___, again):
        self.jump(again)

    def do_abort(self, *_):
        self.end(("stop",))

    def do_error(self, *_):
        self.end(("error",))

    def do_return(self, frame, s, *_):
        text = None
        if s[1]:
            text, kind = self.expressions.value(frame, s[1])
            wanted = frame.result[1] if frame.result else \
                self.case.function.result
            text = converted(text, wanted, kind)
        if frame.end is None:
            self.end(("return", text))
            return
        if text is not None:
            self.set(frame.result[0], text)
        self.jump(frame.end)

    # Calls.

    def pass_arguments(self, frame, callee, function, arguments):
        texts = []
        for p, a in zip(function.parameters, arguments):
            if a[0] == "addr":
                texts.append(self.expressions.place(frame, a[1])[0])
            elif p.type.endswith("*"):
                texts.append(f"v[{frame.slots[a[1]][0]}]")
            else:
                text, kind = self.expressions.value(frame, a)
                texts.append(converted(text, p.type, kind))
        for p, text in zip(function.parameters, texts):
            self.set(self.allocate(callee, p), text)

    def do_helper(self, frame, s, *_):
        function = self.helpers[s[2]]
        result = None
        first = self.width
        if function.result:
            result = (self.width, function.result)
            self.allocate(frame, _scalar("result"))
        callee = self.frame(result)
        callee.end = self.place()
        self.pass_arguments(frame, callee, function, s[3])
        self.event(callee, function, "call")
        self.body(callee, function)
        self.begin(callee.end)
        if result:
            callee.slots["result"] = (result[0], result[1], None)
        self.event(callee, function, "return")
        if s[1] is not None:
            self.store(frame, s[1], f"v[{result[0]}]", function.result)
        for slot in range(first, self.width):
            self.set(slot, 0)

    def event(self, frame, function, moment):
        for e in self.unit.events:
            if (e.function, e.moment) != (function.name, moment):
                continue
            then, after = self.place(), self.place()
            test = self.expressions.truth(frame, e.guard) if e.guard else "1"
            self.branch(test, then, after)
            self.nodes[then] = ("act", e.action, after)
            self.here = after

    def do_call(self, frame, s, *_):
        self.perform(frame, s[1], self.routines[s[2]], s[3], s[4])

    def do_self(self, frame, s, *_):
        function = self.case.function
        routine = _Own(function, self.own)
        self.perform(frame, s[1], routine, s[2], s[3])

    def perform(self, frame, place, routine, arguments, norm):
        """The processes that describe a routine, in place of its call."""
        first = self.width
        callee = self.frame()
        self.pass_arguments(frame, callee, routine, arguments)
        after = self.place()
        for guard, process in routine.arms:
            following = None
            if guard is not None:
                then, following = self.place(), self.place()
                self.branch(self.expressions.truth(callee, guard), then,
                            following)
                self.here = then
            self.process(frame, callee, place, routine, process, norm, after)
            self.here = following
        if self.here is not None:
            self.end(("stop",))
        self.here = after
        for slot in range(first, self.width):
            self.set(slot, 0)

    def process(self, frame, callee, place, routine, process, norm, after):
        states = [self.place() for _ in range(process.size)]
        self.begin(states[0])
        for state, start in enumerate(states):
            choices = []
            for source, label, target in process.moves:
                if source != state:
                    continue
                choices.append(self.place())
                self.here = choices[-1]
                if is_return(label):
                    self.give_back(frame, callee, place, routine, label, norm)
                    self.jump(after)
                elif label == "tau":
                    self.jump(states[target])
                else:
                    self.end(("act", label, states[target]))
            self.nodes[start] = ("goto", choices)
            self.kept.add(start)
        self.here = None

    def give_back(self, frame, callee, place, routine, label, norm):
        for lvalue in routine.modifies:
            _, kind = self.expressions.place(callee, lvalue)
            self.receive(callee, lvalue, kind, None, sample(kind))
        if place is not None:
            constants = [x for x in label if isinstance(x, int)]
            values = [x for x in sample(routine.result, constants)
                      if allows(label, x)]
            self.receive(frame, place, routine.result, norm, values)

def _scalar(name):
    return Variable(name, "llong")


class _Own:
    """A recursive procedure as its own specification describes it."""

    def __init__(self, function, process):
        self.parameters = function.parameters
        self.result = function.result
        if not process.returns():  # It leaves open when the call returns.
            label = ("any",) if function.result else "return"
            process = dataclasses.replace(process, moves=[
                *process.moves,
                *((s, label, s) for s in range(process.size))])
        self.arms = [(None, process)]
        self.modifies = []
