#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `agon reach` with compiled programs that are run on all their inputs.

    compiled_test.py AGON COUNT FIRST_SEED [--seconds S] [--keep FOLDER]

A program is run once to see which values its expressions take. Then assertions are put
in that just hold, or just fail; gcc's answer to these is the truth. AGON_TEST_SCALE
multiplies COUNT. A run gets S seconds of CPU time; no answer is no mistake but has to
be rare.
"""

import argparse
import collections
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

from random_c import RandomProgram

HEADER = """void *malloc(unsigned long);
void *memcpy(void *, const void *, unsigned long);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long long __VERIFIER_nondet_longlong(void);
"""
OBSERVED = """void observe(int, long long);
#define OBSERVE(k, e) observe(k, (long long)(e))
#define main program
"""
GCC = ["gcc", "-w", "-no-pie", "-fwrapv", "-fno-strict-aliasing",
       "-fno-builtin"]
OPTIONS = [[], [], [], [], ["--blocks", "single"],
           ["--predicates", "branches"], ["--invariants", "off"],
           ["--falsification", "off"], ["--unrolling", "off"],
           ["--solver", "cvc5"], ["--minimize", "optimal"]]
ALLOWED_UNKNOWN = 0.15
CODES = {0: "holds", 1: "violated", 3: "unknown"}


class Compiler:
    """Runs programs on all inputs."""

    def __init__(self, folder):
        self.folder = folder
        here = pathlib.Path(__file__).parent
        subprocess.run([*GCC, "-O1", "-c", here / "harness.c", "-o",
                        folder / "harness.o"], check=True)

    def run(self, text, level):
        """How often the error is reached, and what was observed; None if there
        are too many executions."""
        source = self.folder / "compiled.c"
        source.write_text(HEADER + OBSERVED + text)
        program = self.folder / "compiled"
        subprocess.run([*GCC, level, source, self.folder / "harness.o", "-o",
                        program], check=True)
        try:
            done = subprocess.run([program], capture_output=True, text=True,
                                  timeout=60)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode == 2:
            return None
        done.check_returncode()
        first, *rest = done.stdout.splitlines()
        observed = {}
        for line in rest:
            kind, *numbers = map(int, line.split())
            observed[kind] = dict(zip(numbers[::2], numbers[1::2]))
        return int(first.split()[1]), observed


def literal(n):
    return f"{n}LL" if n > -2**63 else "(-9223372036854775807LL - 1)"


def condition(rng, expression, values, holds):
    """One that holds for these values, or fails for few of them."""
    low, high = min(values), max(values)
    rare = min(values, key=values.get)
    e = f"(long long)({expression})"
    if holds:
        free = [v for v in (high + 1, low - 1, (low + high) // 2, low + 1)
                if v not in values and -2**63 <= v < 2**63]
        return rng.choice([f"{e} <= {literal(high)}", f"{e} >= {literal(low)}",
                           *(f"{e} != {literal(v)}" for v in free)])
    return rng.choice([f"{e} < {literal(high)}", f"{e} > {literal(low)}",
                       f"{e} != {literal(rare)}"])


def with_assertions(rng, text, observed):
    chosen = rng.sample(sorted(observed), min(len(observed),
                                              rng.randint(1, 3)))
    wrong = chosen[0] if chosen and rng.random() < .5 else None
    lines = []
    for line in text.splitlines():
        if not line.strip().startswith("OBSERVE("):
            lines.append(line)
            continue
        kind, expression = line.strip()[8:-2].split(", ", 1)
        if int(kind) in chosen:
            test = condition(rng, expression, observed[int(kind)],
                             int(kind) != wrong)
            lines.append(f"  if (!({test})) reach_error();")
    return "\n".join(lines) + "\n"


def make(seed, compiler):
    """A program with assertions and the truth, or None."""
    text = RandomProgram(seed).text()
    seen = compiler.run(text, "-O0")
    if seen is None:
        return None
    text = with_assertions(random.Random(f"assertions {seed}"), text, seen[1])
    done = compiler.run(text, "-O1")
    return (text, "violated" if done[0] else "holds") if done else None


def ask(agon, file, options, seconds):
    """The verdict, or why there is none."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    try:
        done = subprocess.run(
            [agon, "reach", file, "--timeout", str(10 * seconds), *options],
            capture_output=True, text=True, preexec_fn=limit,
            timeout=20 * seconds + 20)
    except subprocess.TimeoutExpired:
        return "no end"
    if done.returncode < 0:
        return "unknown"  # Out of time.
    return CODES.get(done.returncode,
                     f"exit code {done.returncode}: {done.stderr[-500:]}")


def arguments_of(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("agon")
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--keep", metavar="FOLDER")
    return parser.parse_args(words)


def scaled_count(count):
    return max(1, int(count * float(os.environ.get("AGON_TEST_SCALE", "1"))))


def tell(mistake, text, seed, folder):
    """Prints a program, and keeps it if there is a folder for that."""
    print(f"--- {mistake}\n{text}", flush=True)
    if folder:
        kept = pathlib.Path(folder)
        kept.mkdir(parents=True, exist_ok=True)
        (kept / f"{seed}.c").write_text(text)


def print_counts(counts):
    for what, number in sorted(counts.items()):
        print(f"{number:8} {what}")


def main():
    arguments = arguments_of(sys.argv[1:])
    count = scaled_count(arguments.count)
    counts, wrong = collections.Counter(), 0
    with tempfile.TemporaryDirectory(prefix="agon-compiled-") as name:
        folder = pathlib.Path(name)
        compiler = Compiler(folder)
        for seed in range(arguments.seed, arguments.seed + count):
            made = make(seed, compiler)
            if made is None:
                counts["too many executions"] += 1
                continue
            text, truth = made
            file = folder / "program.c"
            file.write_text(HEADER + text)
            options = OPTIONS[seed % len(OPTIONS)]
            verdict = ask(arguments.agon, file, options, arguments.seconds)
            counts[f"{truth}, said {verdict}"] += 1
            counts["answers"] += 1
            counts["unknown"] += verdict == "unknown"
            if verdict in (truth, "unknown"):
                continue
            wrong += 1
            tell(f"seed {seed}, options {options}: {truth}, but said {verdict}",
                 HEADER + text, seed, arguments.keep)
    print_counts(counts)
    rare = counts["unknown"] <= ALLOWED_UNKNOWN * counts["answers"] + 2
    return 0 if wrong == 0 and counts["answers"] > 0 and rare else 1


if __name__ == "__main__":
    sys.exit(main())
