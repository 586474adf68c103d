#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares brute force with the compiler, so that the oracle can be trusted.

    self_test.py UNITS FIRST_SEED [CASES_PER_UNIT]

The sequences of actions of each generated procedure, as gcc compiles it and as
the oracle explores it, must be the same up to a length. Where the compiled
program has too many runs to try them all, those tried must be among the
oracle's. The environment variable AGON_TEST_SCALE multiplies UNITS.
"""

import collections
import os
import pathlib
import subprocess
import sys
import tempfile

from language import Printer
from questions import make_questions
from replay import Replay, traces_of
from specifications import file_text

RUNS = 60000
LEAST_COMPLETE = 0.6  # Share of the questions whose runs can all be tried.


def show(unit, case, text):
    print(text)
    print(Printer(unit).file([case]))
    print(file_text(unit, [case]), flush=True)


def compare(unit, case, answer, found, complete, counts):
    """Counts a question, and says whether both sides agree."""
    expected = traces_of(answer.system)
    if expected is None:
        counts["too many sequences"] += 1
        return True
    counts["compared"] += 1
    counts["complete"] += complete
    counts["sequences"] += len(found)
    extra, missing = found - expected, expected - found
    if extra:
        show(unit, case, f"only compiled: {min(extra, key=len)}")
    elif complete and missing:
        show(unit, case, f"only explored: {min(missing, key=len)}")
    else:
        return True
    return False


def check_verdicts(answer, counts):
    """The two relations keep to what theory says of them."""
    counts["simulated"] += answer.simulated
    counts["contained"] += answer.contained
    counts["contained, not simulated"] += (answer.contained
                                           and not answer.simulated)
    if answer.simulated and not answer.contained:
        return False
    if answer.missing is not None:
        trace = [x if isinstance(x, str) else "return of a class"
                 for x in answer.missing]
        if answer.judge(trace) is not None or not answer.judge(trace[:-1]):
            return False
    return (answer.simulated == answer.contained
            or not answer.process.deterministic())


def check_unit(seed, cases, counts):
    unit, answers = make_questions(seed, cases)
    questions = [(case, arm) for case in unit.cases for arm in case.arms]
    flat = [a for row in answers for a in row]
    replay = Replay(unit, questions, RUNS)
    with tempfile.TemporaryDirectory(prefix="agon-conformance-") as folder:
        plain = pathlib.Path(folder) / "plain.c"
        plain.write_text(Printer(unit).file())
        subprocess.run(["gcc", "-fsyntax-only", "-w", str(plain)], check=True)
        results = replay.results(folder)
    good = len(results) == len(questions)
    for (case, _), answer, result in zip(questions, flat, results):
        agreed = compare(unit, case, answer, *result, counts)
        if not check_verdicts(answer, counts):
            show(unit, case, "the relations contradict each other")
            agreed = False
        counts["disagreed"] += not agreed
    return good


def main():
    scale = float(os.environ.get("AGON_TEST_SCALE", "1"))
    units = max(1, int(int(sys.argv[1]) * scale))
    first = int(sys.argv[2])
    cases = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    counts = collections.Counter()
    good = all([check_unit(seed, cases, counts)
                for seed in range(first, first + units)])
    for name, count in counts.items():
        print(f"{count:8} {name}")
    passed = (good and counts["disagreed"] == 0 and counts["compared"] > 0
              and counts["complete"] >= LEAST_COMPLETE * counts["compared"])
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
