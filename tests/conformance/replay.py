#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs generated procedures as C, compiled by gcc, through all their inputs.

The C program enumerates the choices itself: inputs, parameters, globals, and
the moves of routines. Each run stops after a few actions. What it prints are
the sequences of actions that occurred, and whether all choices were tried.
"""

import pathlib
import subprocess

from language import (NONDET, Printer, TYPES, declare, limits, nodes)
from processes import is_return

ACTIONS_PER_RUN = 5
COMPILER = ["gcc", "-O0", "-w", "-fwrapv", "-std=gnu17"]

RUNTIME = """\
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
enum { ACTIONS = %d, CHOICES = 24, TICKS = 300, RUNS = %d, KNOWN = 1 << 16 };
static jmp_buf out;
static int chosen[CHOICES], width[CHOICES], depth, at, ticks, cut;
static long long trace[ACTIONS];
static int length;
static unsigned long long known[KNOWN];
static void stop_run(void) { longjmp(out, 1); }
static void give_up(void) { cut = 1; stop_run(); }
static int pick(int n) {
  if (n <= 0) stop_run();
  if (at == CHOICES) give_up();
  if (at == depth) { chosen[depth] = 0; width[depth++] = n; }
  return chosen[at++];
}
static long long one_of(int n, const long long *values) {
  return values[pick(n)];
}
static void tick(void) { if (++ticks == TICKS) give_up(); }
static void act(long long label) {
  trace[length++] = label;
  if (length == ACTIONS) stop_run();
}
void abort(void) { stop_run(); }
void reach_error(void) { act(-1); stop_run(); }
void __VERIFIER_assume(int holds) { if (!holds) stop_run(); }
static int next(void) {
  while (depth && ++chosen[depth - 1] == width[depth - 1]) --depth;
  return depth;
}
static int is_new(void) {
  unsigned long long hash = 1469598103934665603ull + length;
  for (int i = 0; i < length; ++i) hash = (hash ^ trace[i]) * 1099511628211ull;
  if (!hash) hash = 1;
  for (unsigned i = hash %% KNOWN;; i = (i + 1) %% KNOWN) {
    if (known[i] == hash) return 0;
    if (!known[i]) return known[i] = hash, 1;
  }
}
static void enumerate(int number, void (*run)(void)) {
  int runs = 0, fresh = 0;
  depth = cut = 0;
  memset(known, 0, sizeof known);
  do {
    at = length = ticks = 0;
    if (!setjmp(out)) run();
    if (is_new()) {
      for (int i = 0; i < length; ++i) printf("%%lld ", trace[i]);
      puts(";");
      if (++fresh > KNOWN / 2) cut = 1, depth = 0;
    }
    if (++runs == RUNS) { cut = 1; break; }
  } while (next());
  printf("question %%d %%s\\n", number, cut ? "cut" : "complete");
}
"""
RETURNED = 1 << 40  # Added to the value of a return; void: this alone.
NO_VALUE = 1 << 50
ERROR = -1


def some_values(kind, wide=False, constants=()):
    low, high = limits(kind)
    if wide and high - low < 256:
        return list(range(low, high + 1))
    some = set(range(-12, 13)) if wide else set(range(-4, 8 if low == 0 else 4))
    if kind == "uchar":
        some.update(range(252, 256))  # It may be looked at as a signed char.
    for constant in constants:
        some.update(range(constant - 8, constant + 9))
    return sorted(x for x in some if low <= x <= high)


def one_of(values):
    text = ", ".join(f"{x}ll" for x in values)
    return f"one_of({len(values)}, (long long[]){{{text or 0}}})"


def condition(label):
    """A return condition in C."""
    kind = label[0]
    if kind == "any":
        return "1"
    if kind == "value":
        return f"result == {label[1]}"
    if kind == "range":
        return f"result >= {label[1]} && result <= {label[2]}"
    if kind == "test":
        return f"result {label[1]} {label[2]}"
    return f"(result & {label[1]}) == {label[2]}"


class Replay:
    """The C program for some questions: pairs of a case and an arm."""

    def __init__(self, unit, questions, runs):
        self.unit, self.questions, self.runs = unit, questions, runs
        self.printer = Printer(unit, replayed=True)
        names = {label for r in unit.routines for _, p in r.arms
                 for label in p.actions()}
        names |= {e.action for e in unit.events}
        names |= {label for case, _ in questions for _, p in case.arms
                  for label in p.actions()}
        self.numbers = {name: i for i, name in enumerate(sorted(names))}
        self.names = {i: name for name, i in self.numbers.items()}

    def text(self):
        text = RUNTIME % (ACTIONS_PER_RUN, self.runs)
        for kind, name in NONDET.items():
            if kind != "schar":
                values = range(2) if kind == "bool" else some_values(kind)
                text += (f"{TYPES[kind][0]} {name}(void) "
                         f"{{ return {one_of(list(values))}; }}\n")
        for name, fields in self.unit.structs.items():
            members = " ".join(f"{declare(k, f)};" for f, k in fields)
            text += f"{name} {{ {members} }};\n"
        for v in self.unit.globals:
            text += f"{self.printer.variable(v)};\n"
            text += f"const {self.printer.variable(v)};\n".replace(
                f" {v.name}", f" first_{v.name}", 1)
        for r in self.unit.routines:
            text += self.routine(r.name, r, r.arms, r.modifies)
        for i, (case, arm) in enumerate(self.questions):
            text += self.question(i, case, arm)
        text += "int main(void) {\n"
        for i in range(len(self.questions)):
            text += f"  enumerate({i}, run_{i});\n"
        return text + "}\n"

    # Routines.

    def routine(self, name, routine, arms, modifies=(), own=False):
        head = self.printer.function_head(routine)
        text = head.replace(f" {routine.name}(", f" {name}(", 1) + " {\n"
        for i, (guard, _) in enumerate(arms):
            test = self.printer.condition(guard) if guard else "(1)"
            text += f"  if {test} goto a{i}_0;\n"
        text += "  stop_run();\n"
        for i, (_, process) in enumerate(arms):
            text += self.process(i, process, routine.result, modifies, own)
        return text + "}\n"

    def process(self, arm, process, kind, modifies, own):
        """Code with a label for each state. If `own`, it returns at will."""
        text = ""
        for state in range(process.size):
            moves = [m for m in process.moves if m[0] == state]
            if own:
                moves.append((state, ("any",) if kind else "return", None))
            text += f"a{arm}_{state}: tick();\n  switch (pick({len(moves)}))"
            text += " {\n"
            for i, (_, label, target) in enumerate(moves):
                text += f"    case {i}: "
                if is_return(label):
                    text += self.give_back(label, kind, modifies)
                elif label == "tau":
                    text += f"goto a{arm}_{target};\n"
                else:
                    text += (f"act({self.numbers[label]}); "
                             f"goto a{arm}_{target};\n")
            text += "  }\n  stop_run();\n"
        return text

    def give_back(self, label, kind, modifies):
        text = ""
        for place in modifies:
            text += f"{self.printer.expr(place)} = pick(8); "
        if kind is None:
            return text + "return;\n"
        constants = [x for x in label if isinstance(x, int)]
        values = some_values(kind, True, constants)
        return text + (f"{{ {TYPES[kind][0]} result = {one_of(values)}; "
                       f"if ({condition(label)}) return result; "
                       "stop_run(); }\n")

    # Procedures.

    def question(self, index, case, arm):
        """Each question has its own copy of the procedure and its helpers."""
        functions = [*case.helpers, case.function]
        statics = [v for v in case.function.locals if v.static]
        names = [f.name for f in functions] + [v.name for v in statics]
        text = "".join(f"#define {n} q{index}_{n}\n" for n in names)
        for v in statics:
            text += f"{self.printer.variable(v)};\n"
        if any(s[0] == "self" for s in nodes(case.function.body)):
            text += self.routine(f"abstract_{case.function.name}",
                                 case.function, [(None, arm[1])],
                                 own=not arm[1].returns())
        for h in case.helpers:
            text += self.helper(index, h)
        text += self.printer.define(case.function)
        text += self.driver(index, case, arm)
        return text + "".join(f"#undef {n}\n" for n in names)

    def helper(self, index, h):
        events = [e for e in self.unit.events if e.function == h.name]
        if not events:
            return self.printer.define(h)
        inner = f"inner{index}_{h.name}"
        text = f"#undef {h.name}\n#define {h.name} {inner}\n"
        text += self.printer.define(h)
        text += f"#undef {h.name}\n#define {h.name} q{index}_{h.name}\n"
        names = ", ".join(p.name for p in h.parameters)
        call = f"{inner}({names});"
        text += self.printer.function_head(h) + " {\n"
        text += self.events(events, "call")
        if h.result:
            call = f"{TYPES[h.result][0]} result = {call}"
        text += f"  {call}\n" + self.events(events, "return")
        return text + ("  return result;\n}\n" if h.result else "}\n")

    def events(self, events, moment):
        text = ""
        for e in events:
            if e.moment == moment:
                test = self.printer.condition(e.guard) if e.guard else "(1)"
                text += f"  if {test} act({self.numbers[e.action]});\n"
        return text

    def driver(self, index, case, arm):
        function = case.function
        text = f"void run_{index}(void) {{\n"
        for v in self.unit.globals:
            text += (f"  memcpy((void *)&{v.name}, &first_{v.name}, "
                     f"sizeof {v.name});\n")
        for p in function.parameters:
            text += f"  {declare(p.type, p.name)};\n"
        for i in function.inputs:
            values = some_values(i.type, wide=True)
            if i.norm and TYPES[i.type][1] == 8:
                values = [x for x in values if -12 <= x <= 12]
            text += f"  {i.name} = {one_of(values)};\n"
        guards = [g for g, _ in case.arms if g]
        for g in [arm[0]] if arm[0] else guards:
            sign = "!" if arm[0] else ""
            text += f"  if ({sign}{self.printer.condition(g)}) stop_run();\n"
        names = ", ".join(p.name for p in function.parameters)
        if function.result:
            text += f"  act({RETURNED}ll + {function.name}({names}));\n"
        else:
            text += f"  {function.name}({names});\n  act({NO_VALUE}ll);\n"
        return text + "}\n"

    # Running.

    def label(self, number):
        if number == ERROR:
            return "error"
        if number == NO_VALUE:
            return ("return", None)
        if number > RETURNED // 2:
            return ("return", number - RETURNED)
        return self.names[number]

    def results(self, folder):
        """For each question: the prefixes that occur, and whether all do."""
        source = pathlib.Path(folder) / "replay.c"
        source.write_text(self.text())
        binary = str(source.with_suffix(""))
        done = subprocess.run([*COMPILER, str(source), "-o", binary],
                              capture_output=True, timeout=300)
        if done.returncode:
            raise RuntimeError(done.stderr.decode(errors="replace"))
        done = subprocess.run([binary], capture_output=True, timeout=600,
                              check=True)
        results, traces = [], {()}
        for line in done.stdout.decode().splitlines():
            if line.startswith("question"):
                results.append((traces, line.endswith("complete")))
                traces = {()}
                continue
            labels = tuple(self.label(int(x)) for x in line.split()[:-1])
            traces.update(labels[:i] for i in range(len(labels) + 1))
        return results


def traces_of(system, length=ACTIONS_PER_RUN, limit=20000):
    """The sequences of actions of an explicit system, up to a length; None if
    there are too many."""
    result = {(): system.closure([0])}
    border = dict(result)
    for _ in range(length):
        following = {}
        for trace, states in border.items():
            rows = {}
            for s in states:
                for label, target in system.moves[s]:
                    if label is not None:
                        rows.setdefault(label, set()).add(target)
            for label, targets in rows.items():
                following[trace + (label,)] = system.closure(targets)
        result.update(following)
        border = following
        if len(result) > limit:
            return None
    return set(result)
