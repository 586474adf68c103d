#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks agon, and compares what it says with the truth."""

import dataclasses
import json
import pathlib
import subprocess
import tempfile

from language import Printer
from specifications import file_text

CODES = {"holds": 0, "violated": 1, "unknown": 3}


class Failed(Exception):
    """Agon gave no answer that could be compared: the message says why."""


@dataclasses.dataclass
class Disagreement:
    kind: str  # wrong, counterexample, failed
    text: str


def was_stopped(results):
    """Whether the program had to end at its limit on time, with what it knew:
    the last result stands for all questions that were not asked any more."""
    return bool(results) and results[-1]["verdict"] == "unknown" and \
        "time limit" in str(results[-1].get("reason"))


class Engine:
    """Runs agon on the files of a unit."""

    def __init__(self, program, seconds):
        self.program = program
        self.seconds = seconds

    def run(self, arguments, folder, seconds):
        """The results and the exit code, in three times the seconds."""
        limit = ["--timeout", str(round(seconds, 1))]
        try:
            done = subprocess.run(
                [self.program, *arguments, *limit, "--json", "-"], cwd=folder,
                capture_output=True, timeout=3 * seconds + 10)
        except subprocess.TimeoutExpired:
            raise Failed("no end") from None
        if done.returncode not in CODES.values():
            text = done.stderr.decode(errors="replace").strip()
            raise Failed(f"exit code {done.returncode}: {text[-2000:]}")
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            raise Failed(f"no JSON: {done.stdout[:200]!r}") from None
        return answer["results"], done.returncode

    def check(self, unit, cases, options):
        """Results of each case, a list for its arms in order."""
        with tempfile.TemporaryDirectory(prefix="agon-conformance-") as folder:
            base = pathlib.Path(folder)
            (base / "u.c").write_text(Printer(unit).file(cases))
            (base / "u.agon").write_text(file_text(unit, cases))
            results, code = self.run(
                ["check", "u.c", "--spec", "u.agon", *options], folder,
                self.seconds + len(cases) / 5)
        rows = []
        for case in cases:
            mine = [r for r in results if r["target"] == case.function.name]
            if was_stopped(results):
                mine += [results[-1]] * (len(case.arms) - len(mine))
            if len(mine) != len(case.arms):
                raise Failed(f"{len(mine)} results for {case.function.name}, "
                             f"which has {len(case.arms)} arms")
            rows.append(mine)
        verdicts = {r["verdict"] for r in results}
        expected = next((CODES[v] for v in ("violated", "unknown", "holds")
                         if v in verdicts), 0)
        if code != expected:
            raise Failed(f"exit code {code} with the verdicts {verdicts}")
        return rows

    def reach(self, unit, entry, options):
        with tempfile.TemporaryDirectory(prefix="agon-conformance-") as folder:
            (pathlib.Path(folder) / "u.c").write_text(Printer(unit).file())
            results, code = self.run(
                ["reach", "u.c", "--entry", entry, *options], folder,
                self.seconds)
        if len(results) != 1 or CODES.get(results[0]["verdict"]) != code:
            raise Failed(f"exit code {code} with the results {results}")
        return results[0]


def is_about_traces(options):
    """Whichever game decides: only a question about simulation is not."""
    return "simulation" not in options


def truth(answer, options):
    """Whether `holds` is right, under the options."""
    return answer.contained if is_about_traces(options) else answer.simulated


def compare(answer, result, options):
    """What is wrong with a result, or None. Unknown is never wrong."""
    verdict = result["verdict"]
    if verdict not in CODES:
        return Disagreement("wrong", f"the verdict is {verdict!r}")
    if verdict == "unknown":
        return None
    holds = truth(answer, options)
    if (verdict == "holds") != holds:
        return Disagreement("wrong", f"said {verdict}, but it "
                            f"{'holds' if holds else 'is violated'}; a "
                            f"missing trace is {answer.missing}")
    if verdict == "violated" and is_about_traces(options):
        actions = (result.get("counterexample") or {}).get("actions")
        if actions is None:
            return Disagreement("counterexample", "there is none")
        wrong = answer.judge(actions)
        if wrong:
            return Disagreement("counterexample", f"{actions}: {wrong}")
    if verdict == "violated" and not is_about_traces(options):
        nodes = strategy(result.get("counterexample") or {})
        wrong = answer.judge_tree(nodes) if nodes else "there is no strategy"
        if wrong:
            return Disagreement("counterexample", f"{nodes}: {wrong}")
    return None


def strategy(counterexample):
    """The nodes of a tree; a path is a tree, too."""
    tree = counterexample.get("tree")
    if tree:
        return [(n["challenge"], n["responses"]) for n in tree["nodes"]]
    actions = counterexample.get("actions") or []
    return [(action, [i + 1] if i + 1 < len(actions) else [])
            for i, action in enumerate(actions)]
