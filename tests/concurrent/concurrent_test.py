#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `agon check` on programs of several components with brute force.

    concurrent_test.py AGON COUNT FIRST_SEED [--keep FOLDER] [--limit SECONDS]

COUNT programs, many to a file, are checked for traces or for deadlocks, and each
file once more on one level, for simulation, or both. AGON_TEST_SCALE multiplies COUNT. `unknown`
is no mistake but has to be rare.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from components import Component, described
from compose import (Composition, Spec, TooLarge, has_trace, is_included,
                     is_simulated, offends)

COMPONENTS_PER_FILE = 12
PROGRAMS_PER_FILE = 25
ALLOWED_UNKNOWN = 0.02
VARIANTS = [[], ["--levels", "one"], ["--conformance", "simulation"],
            ["--conformance", "simulation", "--levels", "one"],
            ["--blocks", "single"]]
HEADER = """\
extern int __VERIFIER_nondet_int(void);
extern void exit(int);
extern int do_a(void), do_b(void), do_c(void), do_d(void);
extern int a_or_b(void), b_or_c(void), c_or_d(void), maybe_a(void);
extern int maybe_c(void), any(void), last_b(void), a_or_last(void);
"""


class Program:
    """A composition of components, and a question about it."""

    def __init__(self, name, components, chance):
        self.name = name
        count = chance.choice([1, 2, 2, 2, 3])
        self.parts = [chance.choice(components) for _ in range(count)]
        self.labels = [None] * count
        if chance.random() < 0.6:
            self.labels = chance.sample(["p", "q", "r"], count)
        self.is_grouped = chance.random() < 0.5
        self.own_relabels = [self.choose_own_relabels(i, chance)
                             for i in range(count)]
        self.relabels = self.choose_relabels(chance)
        self.system = Composition([part.system() for part in self.parts],
                                  [self.names(i) for i in range(count)],
                                  [self.alphabet(i) for i in range(count)])
        self.spec = None if chance.random() < 0.4 else self.choose_spec(chance)

    def part_name(self, i):
        if self.labels[i]:
            return self.labels[i]
        same = [k for k, part in enumerate(self.parts)
                if part is self.parts[i] and not self.labels[k]]
        name = self.parts[i].name
        return name if len(same) == 1 else f"{name}.{same.index(i) + 1}"

    def own_name(self, i, action):
        return f"{self.labels[i]}.{action}" if self.labels[i] else action

    def choose_own_relabels(self, i, chance):
        """Of one component. Behind the last one, they would be of all."""
        known = sorted(self.own_name(i, action)
                       for action in self.parts[i].alphabet)
        is_last = i + 1 == len(self.parts)
        if (not known or (is_last and not self.is_grouped)
                or chance.random() < 0.7):
            return {}
        return {old: sorted({chance.choice(known + ["m", "n"])
                             for _ in range(chance.choice([1, 1, 2]))})
                for old in chance.sample(known, min(len(known),
                                                    chance.randint(1, 2)))}

    def after_own(self, i, action):
        """The names before all components together are relabelled."""
        name = self.own_name(i, action)
        return self.own_relabels[i].get(name, [name])

    def choose_relabels(self, chance):
        known = sorted({name for i, part in enumerate(self.parts)
                        for action in part.alphabet
                        for name in self.after_own(i, action)})
        if not known or chance.random() < 0.25:
            return {}
        result = {}
        for old in chance.sample(known, min(len(known),
                                            chance.randint(1, 4))):
            new = {chance.choice(known + ["m", "n"])
                   for _ in range(chance.choice([1, 1, 1, 2]))}
            result[old] = sorted(new)
        return result

    def names(self, i):
        result = {action: sorted({new for name in self.after_own(i, action)
                                  for new in self.relabels.get(name, [name])})
                  for action in self.parts[i].alphabet}
        for value in range(4):
            label = f"return[{value}]"
            result[label] = [f"{self.part_name(i)}.{label}"]
        return result

    def alphabet(self, i):
        return {name for names in self.names(i).values() for name in names}

    def choose_spec(self, chance):
        shared = sorted({name for i, part in enumerate(self.parts)
                         for action in part.alphabet
                         for name in self.names(i)[action]})
        used = [name for name in shared if chance.random() < 0.6] or ["a"]
        for i in range(len(self.parts)):
            if chance.random() < 0.3:
                used += [f"{self.part_name(i)}.return[{value}]"
                         for value in range(4)]
        size = chance.randint(1, 3)
        density = chance.choice([0.4, 0.7, 0.95])
        rows = [[(name, chance.randrange(size))
                 for name in used for _ in range(chance.choice([1, 1, 1, 2]))
                 if chance.random() < density] for _ in range(size)]
        if chance.random() < 0.35:
            self.follow_runs(rows, used, chance)
        return Spec(rows, set(used))

    def follow_runs(self, rows, used, chance):
        """Adds what is needed for some runs, so that more is allowed."""
        for _ in range(4):
            state, at = self.system.start, 0
            for _ in range(20):
                steps = self.system.steps(state)
                if not steps:
                    break
                label, state = chance.choice(steps)
                if label in used:
                    if label not in [name for name, _ in rows[at]]:
                        rows[at].append((label, chance.randrange(len(rows))))
                    at = chance.choice(
                        [to for name, to in rows[at] if name == label])

    def text(self):
        parts = []
        for i, part in enumerate(self.parts):
            label = f"{self.labels[i]}:" if self.labels[i] else ""
            parts.append(label + part.name
                         + renaming(self.own_relabels[i]))
        line = " || ".join(parts)
        if self.is_grouped:
            line = f"({line})"
        line += renaming(self.relabels)
        guards = "; ".join(part.guard() for part in self.parts)
        what = "deadlock-free" if self.spec is None else f"S{self.name}"
        result = (f"verify program P{self.name} = {line}\n"
                  f"    when ({guards}) : {what};\n")
        return result if self.spec is None else self.process() + result

    def process(self):
        states = [f"S{self.name}"]
        states += [f"S{self.name}x{i}" for i in range(1, len(self.spec.rows))]
        lines = []
        for name, row in zip(states, self.spec.rows):
            ways = " | ".join(f"{written(label)} -> {states[to]}"
                              for label, to in row)
            lines.append(f"{name} = " + (f"({ways})" if ways else "STOP"))
        extra = ", ".join(sorted(written(label)
                                 for label in self.spec.alphabet))
        return ",\n".join(lines) + f" + {{{extra}}}.\n"

    def answer(self, options):
        if self.spec is None:
            return not self.system.has_deadlock()
        if "simulation" in options:
            return is_simulated(self.system, self.spec)
        return is_included(self.system, self.spec)

    def judge(self, row):
        """What is wrong with a counterexample, if anything is."""
        actions = row["counterexample"]["actions"]
        if self.spec is None:
            own = [f"{self.part_name(i)}.{what}"
                   for i in range(len(self.parts))
                   for what in ("silent step", "component stops",
                                "component exits", "return")]
            kept = [action for action in actions if action not in own]
            found = has_trace(self.system, kept, lambda name: "return" in name)
            if not any(self.system.deadlocks(state) for state in found):
                return "the actions do not lead to a deadlock"
            return None
        if not offends(self.spec, actions):
            return "the specification allows this"
        if not has_trace(self.system, actions,
                         lambda name: name not in self.spec.alphabet):
            return "the program cannot do this"
        return None


def renaming(relabels):
    pairs = ", ".join(f"{new}/{old}" for old, news in relabels.items()
                      for new in news)
    return f"\n    / {{{pairs}}}" if pairs else ""


def written(label):
    """As FSP writes it: `p[1]` for `p.1`."""
    return re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", label)


def check(agon, folder, limit, options):
    done = subprocess.run(
        [agon, "check", "t.c", "--spec", "t.agon", "--json", "-",
         "--timeout", limit, *options],
        cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(f"agon failed in {folder}: {done.stderr}")
    return json.loads(done.stdout)["results"]


def make_file(seed):
    chance = random.Random(seed)
    components = [Component(f"k{i}", chance)
                  for i in range(COMPONENTS_PER_FILE)]
    programs = []
    while len(programs) < PROGRAMS_PER_FILE:
        try:
            program = Program(str(len(programs)), components, chance)
            program.truth = {"trace": program.answer([]),
                             "simulation": program.answer(["simulation"])}
        except TooLarge:
            continue
        programs.append(program)
    return components, programs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("agon")
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--keep")
    parser.add_argument("--limit", default="120")
    arguments = parser.parse_args()
    agon = os.path.abspath(arguments.agon)
    scale = float(os.environ.get("AGON_TEST_SCALE", "1"))
    files = max(1, round(arguments.count * scale / PROGRAMS_PER_FILE))
    counts = collections.Counter()
    mistakes = 0
    for seed in range(arguments.seed, arguments.seed + files):
        components, programs = make_file(seed)
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(arguments.keep or temporary)
            folder.mkdir(exist_ok=True)
            (folder / "t.c").write_text(
                HEADER + "\n".join(each.text() for each in components))
            (folder / "t.agon").write_text(
                described() + "\n" + "".join(each.text() for each in programs))
            chosen = 1 + seed % (len(VARIANTS) - 1)
            for options in [VARIANTS[0], VARIANTS[chosen]]:
                rows = check(agon, folder, arguments.limit, options)
                assert len(rows) == len(programs)
                for program, row in zip(programs, rows):
                    mistakes += compare(seed, program, row, options, counts)
    print(", ".join(f"{count} {what}" for what, count in
                    sorted(counts.items())))
    assert counts["judged"] > 0 and counts["holds"] > 0
    if counts["unknown"] > ALLOWED_UNKNOWN * counts["answers"]:
        print("too many are unknown")
        mistakes += 1
    sys.exit(1 if mistakes else 0)


def compare(seed, program, row, options, counts):
    counts["answers"] += 1
    counts[row["verdict"]] += 1
    if row["verdict"] == "unknown":
        print(f"seed {seed} P{program.name} {options}: {row['reason']}")
        return 0
    by = "simulation" if "simulation" in options else "trace"
    problem = None
    if (row["verdict"] == "holds") != program.truth[by]:
        problem = f"{row['verdict']} is wrong"
    elif row["verdict"] == "violated" and (
            row["counterexample"]["tree"] is None):
        counts["judged"] += 1
        problem = program.judge(row)
    if problem is None:
        return 0
    print(f"seed {seed} P{program.name} {options}: {problem}\n"
          + program.text())
    return 1


if __name__ == "__main__":
    main()
