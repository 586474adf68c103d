# SPDX-License-Identifier: Apache-2.0
"""Runs of agon on questions, each made once, and what the numbers of several
runs say together."""

import dataclasses
import json
import re
import sys

from conformance import VERDICTS, run_json
from measure import geometric_mean

MEMORY_LIMIT = 2000  # MB
PATIENCE = 20  # Seconds of the clock for one of the CPU.


@dataclasses.dataclass(frozen=True)
class Run:
    verdict: str
    cpu: float          # Seconds.
    memory: float       # MB at the peak.
    iterations: int
    states: int         # Of the last abstraction.
    expressions: int    # Predicates, one by one.
    predicates: int     # x == 1 and x == 2 are one predicate with three values.
    branches: int       # That they come from, if they come from branches.
    minimising: float   # Seconds of `cpu`.
    work: int           # Until the last refinement, in steps and questions.
    spent: int          # Of `work`, by minimisation, counted double.
    sets: int           # That rule out a counterexample, of all of them.
    largest: int        # Of these sets.
    hit_limit: bool     # Of CPU time or memory.

    @property
    def solved(self):
        return self.verdict in ("holds", "violated")

    @property
    def share_of_time(self):
        return self.minimising / self.cpu

    @property
    def share_of_work(self):
        return self.spent / max(self.work, 1)


def many_valued(expressions):
    """The number of predicates where equalities of one term with constants count
    as one (TWO §9.1.2)."""
    return len({re.sub(r" == -?\d+$", " == constant", text)
                for text in expressions})


class Lab:
    """Makes runs. They are kept in a file, from which the next lab takes those
    that were made by the same program with the same limit."""

    def __init__(self, agon, limit, file, folder):
        self.agon, self.limit, self.file, self.folder = agon, limit, file, folder
        self.wrong = []
        self.runs = {}
        self.heading = {"agon": agon.stat().st_mtime_ns, "limit": limit}
        if file.exists():
            kept = json.loads(file.read_text())
            if kept["heading"] == self.heading:
                self.runs = {name: Run(**run)
                             for name, run in kept["runs"].items()}

    def run(self, question, *options):
        name = " ".join((question.name, *options))
        if name not in self.runs:
            self.keep(name, self.measure(question, options))
        result = self.runs[name]
        about_traces = "simulation" not in options
        if (about_traces and result.solved
                and (result.verdict == "holds") != question.holds):
            self.wrong.append(name)
        return result

    def keep(self, name, run):
        self.runs[name] = run
        self.file.write_text(json.dumps(
            {"heading": self.heading,
             "runs": {key: dataclasses.asdict(each)
                      for key, each in self.runs.items()}}, indent=1))
        print(f"{name}: {run.verdict}, {run.cpu:.2f} s", file=sys.stderr,
              flush=True)

    def quietest(self, question, *options, of=5):
        """Of so many runs the one that took the least time: whatever else the
        machine did, it disturbed that one least."""
        name = " ".join((question.name, *options))
        again = [self.measure(question, options) for _ in range(of - 1)]
        best = min([self.run(question, *options), *again],
                   key=lambda run: (not run.solved, run.cpu))
        self.keep(name, best)
        return best

    def measure(self, question, options):
        """One run. It is ended when it has used its CPU time; the limit of the
        clock is for a machine that is busy otherwise."""
        command = [str(self.agon), *question.arguments, *options, "--stats",
                   "--timeout", str(PATIENCE * self.limit),
                   "--memory", str(MEMORY_LIMIT)]
        code, cpu, memory, document = run_json(
            command, f"{self.folder}/out.json", self.limit)
        result = document["results"][0] if document else {}
        expressions = result.get("predicates") or []
        statistics = document.get("statistics", {}) if document else {}
        return Run(
            verdict=VERDICTS.get(code, "unknown" if code < 0 else f"exit {code}"),
            cpu=min(cpu, self.limit), memory=memory,
            iterations=result.get("iterations") or 0,
            states=result.get("states") or 0, expressions=len(expressions),
            predicates=many_valued(expressions),
            branches=statistics.get("refine.branches", 0),
            minimising=statistics.get("refine.minimise_us", 0) / 1e6,
            work=statistics.get("refine.work", 0),
            spent=statistics.get("refine.spent", 0),
            sets=statistics.get("refine.sets", 0),
            largest=statistics.get("refine.largest_set", 0),
            hit_limit=code < 0 or code not in (0, 1) and (
                cpu > 0.9 * self.limit or memory > 0.9 * MEMORY_LIMIT))


def ratios(pairs, field):
    """By how much the first run of a pair exceeds the second. Pairs with two
    different answers are about two questions and do not count. Of those of
    which only one was solved in time, CPU time can be compared, from below."""
    least = 0.01 if field == "cpu" else 1  # What clocks and counters can tell.
    for first, second in pairs:
        if first.solved and second.solved:
            counts = first.verdict == second.verdict
        else:
            counts = (field == "cpu" and (first.solved or second.solved)
                      and (first.hit_limit or second.hit_limit))
        if counts:
            yield (max(getattr(first, field), least)
                   / max(getattr(second, field), least))


def mean_ratio(pairs, field):
    mean = geometric_mean(list(ratios(pairs, field)))
    return "–" if mean is None else f"{mean:.2f}"


def markdown(columns, rows):
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |"
              for row in rows]
    return "\n".join(lines) + "\n"


def seconds(run):
    return f"{run.cpu:.2f}" if run.solved else f"{run.verdict}, {run.cpu:.1f}"


def count(run, field):
    """A number that only runs with an answer have."""
    return getattr(run, field) if run.solved else None


def predicates(run):
    """The three numbers of TWO, of which the last is the size of P; two where
    predicates are not made from branches."""
    if not run.solved:
        return "–"
    numbers = [run.expressions, run.predicates]
    return "/".join(map(str, numbers + [run.branches] * (run.branches > 0)))
