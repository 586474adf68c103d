#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `agon reach` on programs that tell others addresses with all that these
others can do.

    told_test.py AGON COUNT FIRST_SEED [--seconds S] [--keep FOLDER]

The programs call routines without a body, for which outside.c stands when they are
compiled: it changes only what it was told of. An assertion that can fail then must
not hold, and one that cannot must not be violated. Options are as in
compiled_test.py.
"""

import collections
import pathlib
import random
import subprocess
import sys
import tempfile

from compiled_test import (GCC, arguments_of, ask, print_counts,
                           scaled_count, tell)

HEADER = """struct pair { int value; int *to; };
void *malloc(unsigned long);
void *memcpy(void *, const void *, unsigned long);
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern int *shared;
extern struct pair visible;
void unknown(void);
void take(int *);
void take_pair(struct pair *);
int *give(void);
"""
OBJECTS = ["a", "b", "s", "q.value", "*h"]
POINTERS = ["p", "r", "t", "q.to"]


class TellingProgram:
    """A random program, as text."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.names = 0
        self.has_helper = self.r.random() < .4

    def address(self):
        return self.r.choice(["&a", "&b", "&s", "&q.value", "h", "&a", "&b",
                              *POINTERS])

    def simple(self):
        r = self.r
        one = r.choice(OBJECTS)
        pointer = r.choice(POINTERS)
        return r.choice([
            f"{one} = 1;", f"{pointer} = {self.address()};",
            f"{pointer} = {self.address()};", f"take({self.address()});",
            f"shared = {self.address()};", "unknown();", "take_pair(&q);",
            "visible = q;", "memcpy(&visible, &q, sizeof q);",
            f"{r.choice(['p', 'r'])} = give();",
            f"if ({pointer}) *{pointer} = {r.choice([1, 1, 2])};",
            *([f"tell({self.address()});"] if self.has_helper else []),
            self.assertion()])

    def assertion(self):
        return f"if ({self.r.choice(OBJECTS)} != 1) reach_error();"

    def statement(self, depth):
        pick = self.r.random()
        if depth > 1 or pick < .7:
            return [self.simple()]
        body = [line for _ in range(self.r.randint(1, 4))
                for line in self.statement(depth + 1)]
        body = ["  " + line for line in body]
        if pick < .85:
            return ["if (__VERIFIER_nondet_bool()) {", *body, "}"]
        self.names += 1
        i = f"i{self.names}"
        return [f"for (int {i} = 0; {i} < {self.r.randint(1, 2)}; {i}++) {{",
                *body, "}"]

    def text(self):
        lines = ["static int s = 1;",
                 f"static int *t{self.r.choice(['', ' = &s'])};"]
        if self.has_helper:
            lines += ["static void tell(int *p) {",
                      "  if (__VERIFIER_nondet_bool()) take(p);", "}"]
        lines += ["int main(void) {",
                  "  int a = 1, b = 1, *p = 0, *r = 0, *h = malloc(sizeof *h);",
                  "  struct pair q = {1, 0};", "  *h = 1;"]
        for _ in range(self.r.randint(4, 9)):
            lines += ["  " + line for line in self.statement(0)]
        lines += ["  " + self.assertion(), "  return 0;", "}", ""]
        return "\n".join(lines)


def truth(text, folder):
    """What the compiled program does, or None if that takes too long."""
    here = pathlib.Path(__file__).parent
    source = folder / "compiled.c"
    source.write_text(HEADER + "#define main program\n" + text)
    subprocess.run([*GCC, "-O0", source, here / "outside.c",
                    here / "harness.c", "-o", folder / "compiled"], check=True)
    try:
        done = subprocess.run([folder / "compiled"], capture_output=True,
                              text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode == 2:
        return None
    done.check_returncode()
    return "holds" if done.stdout.split()[1] == "0" else "violated"


def main():
    arguments = arguments_of(sys.argv[1:])
    counts, wrong = collections.Counter(), 0
    with tempfile.TemporaryDirectory(prefix="agon-told-") as name:
        folder = pathlib.Path(name)
        file = folder / "program.c"
        first = arguments.seed
        for seed in range(first, first + scaled_count(arguments.count)):
            text = TellingProgram(seed).text()
            expected = truth(text, folder)
            if expected is None:
                counts["too many executions"] += 1
                continue
            file.write_text(HEADER + text)
            verdict = ask(arguments.agon, file, [], arguments.seconds)
            counts[f"{expected}, said {verdict}"] += 1
            counts["answers"] += 1
            if verdict in (expected, "unknown"):
                continue
            wrong += 1
            tell(f"seed {seed}: {expected}, but said {verdict}", HEADER + text,
                 seed, arguments.keep)
    print_counts(counts)
    return 0 if wrong == 0 and counts["answers"] > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
