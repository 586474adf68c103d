#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `agon check` and `agon reach` with brute force on random cases.

    conformance_test.py AGON COUNT FIRST_SEED [--failures FOLDER]
        [--options "…"] [--variants all|sample|none|one|turn] [--jobs N]

COUNT procedures, many to a file, are checked for traces and for simulation,
and those of some files again under other options; a quarter as many programs
are asked for reachable errors. A disagreement is shown shrunk, and written to
FOLDER as a regression case. The environment variable AGON_TEST_SCALE
multiplies COUNT. `unknown` is no mistake but has to be rare. With `--variants one`
each file is asked about under one set of options only, with `--variants turn` for
traces or for simulation: for large campaigns.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import sys

from automaton import TooLarge
from engine import Disagreement, Engine, Failed, compare, is_about_traces
from language import Printer
from oracle import Answer, error_reached
from questions import make_questions, make_reach
from shrink import shrink
from specifications import file_text

CASES_PER_FILE = 50
ALLOWED_UNKNOWN = 0.02
SIMULATION = ["--conformance", "simulation"]
# As --paper, but for integers that overflow.
PUBLISHED = ["--blocks", "single", "--predicates", "branches",
             "--minimize", "optimal", "--falsification", "off"]
VARIANTS = [
    ["--conformance", "trace"],
    ["--blocks", "single"],
    ["--predicates", "branches"],
    ["--solver", "cvc5"],
    ["--blocks", "single", *SIMULATION],
    ["--predicates", "branches", *SIMULATION],
    ["--blocks", "single", "--predicates", "branches"],
    ["--solver", "cvc5", *SIMULATION],
    ["--minimize", "optimal"],
    ["--minimize", "greedy", "--counterexamples", "4", *SIMULATION],
    PUBLISHED,
    ["--minimize", "optimal", "--counterexamples", "4", *SIMULATION],
    ["--minimize", "greedy", "--blocks", "single", "--predicates", "branches"],
    [*PUBLISHED, *SIMULATION],
]
REACH_VARIANTS = [["--blocks", "single"], ["--predicates", "branches"],
                  ["--solver", "cvc5"], ["--minimize", "optimal"], PUBLISHED,
                  ["--minimize", "greedy"]]


class Campaign:
    """Counts what happened, and keeps the cases that went wrong."""

    def __init__(self, engine, arguments):
        self.engine = engine
        self.arguments = arguments
        self.counts = collections.Counter()
        self.reasons = collections.Counter()
        self.found = 0

    # Conformance.

    def option_sets(self, seed):
        common = self.arguments.options.split()
        chosen = [[], SIMULATION]
        if self.arguments.variants == "one":
            sets = [[], SIMULATION, [], SIMULATION, *VARIANTS]
            chosen = [sets[seed % len(sets)]]
        elif self.arguments.variants == "turn":
            chosen = [chosen[seed // 2 % 2]]
        if self.arguments.variants == "all":
            chosen += VARIANTS
        elif self.arguments.variants == "sample":
            chosen.append(VARIANTS[seed % len(VARIANTS)])
        return [common + options for options in chosen]

    def unit(self, seed, count):
        unit, answers = make_questions(seed, count)
        self.counts["procedures"] += count
        for options in self.option_sets(seed):
            for case, row, truth in zip(unit.cases,
                                        self.rows(unit, options), answers):
                self.case(seed, unit, case, row, truth, options)

    def rows(self, unit, options):
        """The results of a file; case by case where that fails, or where a
        case was left without time."""
        try:
            rows = self.engine.check(unit, unit.cases, options)
        except Failed:
            rows = [None] * len(unit.cases)
        return [self.alone(unit, case, options)
                if row is None or any("time" in str(r.get("reason"))
                                      for r in row) else row
                for case, row in zip(unit.cases, rows)]

    def alone(self, unit, case, options):
        try:
            return self.engine.check(unit, [case], options)[0]
        except Failed as failure:
            return failure

    def case(self, seed, unit, case, row, answers, options):
        name = " ".join(options) or "default"
        if isinstance(row, Failed):
            wrong = Disagreement("failed", str(row))
            self.report(seed, unit, case, options, wrong, answers)
            return
        for answer, result in zip(answers, row):
            verdict = result["verdict"]
            self.counts[f"{name}: {verdict}"] += 1
            self.counts["answers"] += 1
            if verdict == "unknown":
                self.unknown(f"{seed} {case.function.name} {name}", result)
            wrong = compare(answer, result, options)
            if verdict == "violated":
                self.counts["counterexamples judged"
                            if is_about_traces(options)
                            else "strategies judged"] += 1
            if wrong:
                self.report(seed, unit, case, options, wrong, answers)

    def unknown(self, name, result):
        self.counts["unknown"] += 1
        self.reasons[str(result.get("reason"))[:100]] += 1
        if self.arguments.verbose:
            print(f"unknown: {name}: {result.get('reason')}", flush=True)

    def same_failure(self, options, kind):
        """A test whether a candidate still fails in this way."""
        def fails(unit, case):
            main = case.function.name == "main"
            try:
                answers = [Answer(unit, case, arm, main) for arm in case.arms]
            except Exception:  # Cutting may leave something that is no C.
                return False
            try:
                row = self.engine.check(unit, [case], options)[0]
            except Failed as failure:
                return kind == "failed" and "exit code 2" not in str(failure)
            return any(d and d.kind == kind for d in (
                compare(a, r, options) for a, r in zip(answers, row)))
        return fails

    def report(self, seed, unit, case, options, wrong, answers):
        self.counts[wrong.kind] += 1
        self.found += 1
        shown = [unit, case]
        if self.found <= self.arguments.shrink and wrong.text != "no end":
            shown = shrink(unit, case, self.same_failure(options, wrong.kind))
        unit, case = shown
        print(f"--- {wrong.kind}: seed {seed}, {case.function.name}, "
              f"options {options}\n{wrong.text}\n{Printer(unit).file([case])}"
              f"\n{file_text(unit, [case])}", flush=True)
        self.keep(f"{seed}_{case.function.name}", unit, case, options, wrong)

    def keep(self, name, unit, case, options, wrong):
        if not self.arguments.failures:
            return
        folder = pathlib.Path(self.arguments.failures)
        folder.mkdir(parents=True, exist_ok=True)
        main = case.function.name == "main"
        (folder / f"{name}.c").write_text(Printer(unit).file([case]))
        if not case.arms:
            holds = not error_reached(unit, case, main)
            command = f"agon reach {name}.c --entry {case.function.name}"
        else:
            answers = [Answer(unit, case, arm, main) for arm in case.arms]
            simulation = "simulation" in options
            holds = all(a.simulated if simulation else a.contained
                        for a in answers)
            (folder / f"{name}.agon").write_text(file_text(unit, [case]))
            command = f"agon check {name}.c --spec {name}.agon"
        (folder / f"{name}.test").write_text(
            f"{wrong.kind}: {wrong.text}\n\n"
            f"RUN: {' '.join([command, *options])}\n"
            f"EXPECT!: {'holds' if holds else 'violated'}\n")

    # Reachability.

    def reach(self, seed):
        unit, reached = make_reach(seed)
        sets = [[]]
        if self.arguments.variants == "one":
            sets = [[[], [], *REACH_VARIANTS][seed % (2 + len(REACH_VARIANTS))]]
        elif self.arguments.variants not in ("none", "turn"):
            sets.append(REACH_VARIANTS[seed % len(REACH_VARIANTS)])
        for options in sets:
            options = self.arguments.options.split() + options
            name = "reach " + " ".join(options)
            wrong = self.reach_wrong(unit, reached, options, name)
            if not wrong:
                continue
            self.counts[wrong.kind] += 1
            self.found += 1
            case = unit.cases[0]
            if self.found <= self.arguments.shrink and wrong.text != "no end":
                unit, case = shrink(unit, case, self.reach_fails(options,
                                                                 wrong.kind))
            print(f"--- {wrong.kind}: reach, seed {seed}, options {options}\n"
                  f"{wrong.text}\n{Printer(unit).file([case])}", flush=True)
            self.keep(f"reach_{seed}", unit, case, options, wrong)

    def reach_wrong(self, unit, reached, options, name=None):
        try:
            result = self.engine.reach(unit, unit.cases[0].function.name,
                                       options)
        except Failed as failure:
            return Disagreement("failed", str(failure))
        verdict = result["verdict"]
        if name:
            self.counts[f"{name}: {verdict}"] += 1
            self.counts["answers"] += 1
            if verdict == "unknown":
                self.unknown(name, result)
        if verdict != "unknown" and (verdict == "violated") != reached:
            return Disagreement("wrong", f"said {verdict}, but the error is "
                                f"{'' if reached else 'not '}reached")
        return None

    def reach_fails(self, options, kind):
        def fails(unit, case):
            try:
                reached = error_reached(unit, case,
                                        case.function.name == "main")
            except Exception:  # Cutting may leave something that is no C.
                return False
            wrong = self.reach_wrong(unit, reached, options)
            return (wrong is not None and wrong.kind == kind
                    and "exit code 2" not in wrong.text)
        return fails

    def merge(self, other):
        self.counts.update(other.counts)
        self.reasons.update(other.reasons)

    def summary(self):
        for name, count in sorted(self.counts.items()):
            print(f"{count:8} {name}")
        for reason, count in self.reasons.most_common(20):
            print(f"{count:8} unknown because: {reason}")
        print(flush=True)

    def passed(self):
        counts = self.counts
        return (not any(counts[k] for k in ("wrong", "counterexample",
                                            "failed"))
                and counts["answers"] > 0
                and (self.arguments.only == "reach" or counts["procedures"] < 50
                     or (counts["counterexamples judged"] > 0
                         and counts["strategies judged"] > 0))
                and counts["unknown"] <= ALLOWED_UNKNOWN * counts["answers"])


def work(arguments, seed, kind, count):
    """One file, in a process of its own."""
    campaign = Campaign(Engine(arguments.agon, arguments.seconds), arguments)
    try:
        if kind == "check":
            campaign.unit(seed, count)
        else:
            for i in range(count):
                campaign.reach(seed * 1000 + i)
    except TooLarge:
        campaign.counts["too large"] += 1
    return campaign.counts, campaign.reasons


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("agon")
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--failures")
    parser.add_argument("--options", default="")
    parser.add_argument("--variants", default="sample",
                        choices=["all", "sample", "none", "one", "turn"])
    parser.add_argument("--shrink", type=int, default=2,
                        help="how many failures of a file to shrink")
    parser.add_argument("--only", choices=["check", "reach"])
    parser.add_argument("--seconds", type=float, default=10,
                        help="the time for a procedure")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--verbose", action="store_true",
                        help="name each file and each unknown")
    return parser.parse_args()


def main():
    arguments = parse()
    arguments.agon = str(pathlib.Path(arguments.agon).resolve())
    scale = float(os.environ.get("AGON_TEST_SCALE", "1"))
    count = max(1, int(arguments.count * scale))
    tasks = []
    for i in range(0, count, CASES_PER_FILE):
        size = min(CASES_PER_FILE, count - i)
        seed = arguments.seed + i // CASES_PER_FILE
        if arguments.only != "reach":
            tasks.append((arguments, seed, "check", size))
        if arguments.only != "check":
            tasks.append((arguments, seed, "reach", max(1, size // 4)))
    total = Campaign(None, arguments)
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        futures = [pool.submit(work, *task) for task in tasks]
        for done, future in enumerate(
                concurrent.futures.as_completed(futures), 1):
            counts, reasons = future.result()
            total.counts.update(counts)
            total.reasons.update(reasons)
            if arguments.verbose:
                print(f"{done} of {len(tasks)} files", flush=True)
            if done % 100 == 0:
                print(f"{done} of {len(tasks)} files:")
                total.summary()
    total.summary()
    return 0 if total.passed() else 1


if __name__ == "__main__":
    sys.exit(main())
