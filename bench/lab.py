# SPDX-License-Identifier: Apache-2.0
"""Runs of agon on questions, each made once, and what the numbers of several
runs say together."""

import dataclasses
import json
import re
import sys
import time

from conformance import VERDICTS, run_json
from measure import geometric_mean

MEMORY_LIMIT = 4000  # MB


@dataclasses.dataclass(frozen=True)
class Run:
    verdict: str
    cpu: float          # Seconds.
    wall: float
    memory: float       # MB at the peak.
    iterations: int
    states: int         # Of the last abstraction.
    expressions: int    # Predicates, one by one.
    predicates: int     # x == 1 and x == 2 are one predicate with three values.
    minimising: float   # Seconds of `wall`.
    sets: int           # That rule out a counterexample, of all of them.
    hit_limit: bool     # Of time.

    @property
    def solved(self):
        return self.verdict in ("holds", "violated")


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
            self.runs[name] = self.measure(question, options)
            self.file.write_text(json.dumps(
                {"heading": self.heading,
                 "runs": {key: dataclasses.asdict(run)
                          for key, run in self.runs.items()}}, indent=1))
            print(f"{name}: {self.runs[name].verdict}, "
                  f"{self.runs[name].cpu:.2f} s", file=sys.stderr, flush=True)
        result = self.runs[name]
        about_traces = "simulation" not in options
        if (about_traces and result.solved
                and (result.verdict == "holds") != question.holds):
            self.wrong.append(name)
        return result

    def measure(self, question, options):
        command = [str(self.agon), *question.arguments, *options, "--stats",
                   "--timeout", str(self.limit), "--memory", str(MEMORY_LIMIT)]
        start = time.monotonic()
        code, cpu, memory, document = run_json(
            command, f"{self.folder}/out.json", 2 * self.limit + 10)
        wall = time.monotonic() - start
        result = document["results"][0] if document else {}
        expressions = result.get("predicates", [])
        statistics = document.get("statistics", {}) if document else {}
        return Run(
            verdict=VERDICTS.get(code, f"exit {code}"), cpu=cpu, wall=wall,
            memory=memory, iterations=result.get("iterations", 0),
            states=result.get("states", 0), expressions=len(expressions),
            predicates=many_valued(expressions),
            minimising=statistics.get("refine.minimise_us", 0) / 1e6,
            sets=statistics.get("refine.sets", 0),
            hit_limit=code not in (0, 1) and wall > 0.9 * self.limit)


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
    return f"{run.cpu:.2f}" if run.solved else f"{run.verdict}, {run.cpu:.0f}"
