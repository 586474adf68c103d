#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `agon reach` on procedures that are given pointers with what they do when they
are compiled and called.

    given_test.py AGON COUNT FIRST_SEED [--seconds S] [--keep FOLDER]

The pointers are parameters and globals, to structs, to structs that are parts of these, to
numbers in them, or integers that hold an address; the procedure goes from a part to the
whole and back. It is called with all ways in which they can point into three objects. If
an assertion fails in one of these calls then it must not hold. There are more calls than
these, so that nothing can be said of violations. Options are as in compiled_test.py.
"""

import collections
import pathlib
import random
import subprocess
import sys
import tempfile

from compiled_test import (GCC, arguments_of, ask, print_counts,
                           scaled_count, tell)

HEADER = """#include <stddef.h>
struct base { int id; };
struct mid { int pre; struct base b; int post; };
struct top { long tag; struct mid m; struct base list[2]; int z; };
#define MID(p) ((struct mid *)((char *)(p) - offsetof(struct mid, b)))
#define TOP(p) ((struct top *)((char *)(p) - offsetof(struct top, m)))
extern void reach_error(void);
"""
# By what a variable holds: the type to declare, and all places in an object. A
# `part` is in the middle of an object, a `base` may also be in its list.
KINDS = {
    "part": ("struct base *", ["&{0}.m.b"]),
    "base": ("struct base *", ["&{0}.m.b", "&{0}.list[0]", "&{0}.list[1]"]),
    "mid": ("struct mid *", ["&{0}.m"]),
    "top": ("struct top *", ["&{0}"]),
    "number": ("int *", ["&{0}.m.pre", "&{0}.m.b.id", "&{0}.m.post",
                         "&{0}.list[0].id", "&{0}.list[1].id", "&{0}.z"]),
    "handle": ("unsigned long ", ["(unsigned long)&{0}.m.b"]),
}
HARNESS = """
#include <setjmp.h>
#include <stdio.h>
static struct top x, y;
static jmp_buf back;
void reach_error(void) { longjmp(back, 1); }
int main(void) {
  int failed = 0;
"""


class GivenPointers:
    """A random procedure, as text."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.is_own_known = self.r.random() < .6
        self.variables = {}
        for i in range(self.r.randint(2, 4)):
            self.variables[f"v{i}"] = self.r.choice(list(KINDS))
        self.globals = [v for v in self.variables if self.r.random() < .3]
        self.number = 0

    def of(self, *kinds):
        return [v for v, kind in self.variables.items() if kind in kinds]

    def part(self):
        """A pointer to the middle of something, or None."""
        found = self.of("part")
        found += [f"((struct base *){v})" for v in self.of("handle")]
        found += [f"(&{v}->b)" for v in self.of("mid")]
        found += [f"(&{v}->m.b)" for v in self.of("top")]
        return self.r.choice(found) if found else None

    def base(self):
        found = self.of("base")
        found += [f"(&{v}->list[k])" for v in self.of("top")]
        part = self.part()
        return self.r.choice(found + [part] if part else found or ["(&own.m.b)"])

    def mid(self):
        found = self.of("mid") + [f"(&{v}->m)" for v in self.of("top")]
        part = self.part()
        found += [f"MID({part})"] if part else []
        return self.r.choice(found or ["(&own.m)"])

    def top(self):
        found = self.of("top") + [f"TOP({self.mid()})"]
        return self.r.choice(found + ["(&own)"])

    def place(self):
        """An int."""
        mid, top = self.mid(), self.top()
        found = [f"*{v}" for v in self.of("number")]
        found += [f"{self.base()}->id", f"{mid}->pre", f"{mid}->post",
                  f"{mid}->b.id", f"{top}->z", f"{top}->list[k].id",
                  f"{top}->list[1].id", f"{top}->m.post"]
        return self.r.choice(found)

    def move(self):
        """An assignment to a pointer."""
        target, kind = self.r.choice(sorted(self.variables.items()))
        value = {
            "part": self.part() or target, "base": self.base(),
            "mid": self.mid(), "top": self.top(), "number": f"&{self.place()}",
            "handle": f"(unsigned long){self.part()}",
        }[kind]
        return f"{target} = {value};"

    def simple(self):
        if self.r.random() < .2:
            return self.move()
        self.number += 1
        return f"{self.place()} = {self.number};"

    def text(self):
        lines = ["static struct top own;"]
        if self.is_own_known:
            lines += ["struct base *give(void) { return &own.m.b; }"]
        lines += [f"{KINDS[self.variables[v]][0]}{v};" for v in self.globals]
        parameters = [f"{KINDS[kind][0]}{v}"
                      for v, kind in self.variables.items()
                      if v not in self.globals]
        lines += [f"void f({', '.join([*parameters, 'unsigned k'])}) {{",
                  "  if (k > 1) return;"]
        watched = self.place()
        before = [self.simple() for _ in range(self.r.randint(0, 2))]
        after = [self.simple() for _ in range(self.r.randint(1, 3))]
        lines += [f"  {line}" for line in before]
        lines += [f"  {watched} = 100;"]
        for line in after:
            if self.r.random() < .2:
                line = f"if ({self.place()} != {self.place()}) {line}"
            lines += [f"  {line}"]
        lines += [f"  if ({watched} != 100) reach_error();", "}", ""]
        return "\n".join(lines)

    def calls(self):
        """Calls of the procedure with all pointers, as a program."""
        objects = ["x", "y"] + (["own"] if self.is_own_known else [])
        declarations, loops = [], []
        for v, kind in self.variables.items():
            places = [p.format(o) for o in objects for p in KINDS[kind][1]]
            declarations += [
                f"  {KINDS[kind][0]}all_{v}[] = {{{', '.join(places)}}};"]
            loops += [f"  for (int i_{v} = 0; i_{v} < {len(places)}; i_{v}++)"]
        start = [f"{v} = all_{v}[i_{v}];" for v in self.globals]
        given = [f"all_{v}[i_{v}]" for v in self.variables
                 if v not in self.globals]
        return "\n".join([
            HARNESS, *declarations, *loops,
            "  for (unsigned k = 0; k < 2; k++) {",
            "    x = y = own = (struct top){0};", *start,
            f"    if (setjmp(back)) failed++; else f({', '.join([*given, 'k'])});",
            "  }", '  printf("%d\\n", failed);', "}", ""])


def may_fail(program, text, folder):
    source = folder / "compiled.c"
    source.write_text(HEADER + text + program.calls())
    subprocess.run([*GCC, "-O0", source, "-o", folder / "compiled"], check=True)
    done = subprocess.run([folder / "compiled"], capture_output=True, text=True,
                          timeout=60, check=True)
    return int(done.stdout) > 0


def main():
    arguments = arguments_of(sys.argv[1:])
    counts, wrong = collections.Counter(), 0
    with tempfile.TemporaryDirectory(prefix="agon-given-") as name:
        folder = pathlib.Path(name)
        file = folder / "program.c"
        first = arguments.seed
        for seed in range(first, first + scaled_count(arguments.count)):
            program = GivenPointers(seed)
            text = program.text()
            fails = may_fail(program, text, folder)
            file.write_text(HEADER + text)
            verdict = ask(arguments.agon, file, ["--entry", "f"],
                          arguments.seconds)
            counts[f"{'fails' if fails else 'does not fail'}, said {verdict}"] += 1
            if verdict in ("violated", "unknown") or (
                    verdict == "holds" and not fails):
                continue
            wrong += 1
            tell(f"seed {seed}: may fail, but said {verdict}", HEADER + text,
                 seed, arguments.keep)
    print_counts(counts)
    has_both = counts["fails, said violated"] and counts[
        "does not fail, said holds"]
    return 0 if wrong == 0 and has_both else 1


if __name__ == "__main__":
    sys.exit(main())
