#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Are all proofs of agon accepted by agon-certify?

    certify_test.py BIN ROOT COUNT FIRST_SEED

Runs the examples, the regression cases that hold, and COUNT random files of
tests/conformance with --certificate. A certificate that is rejected is a
mistake; that there is none has to be rare. AGON_TEST_SCALE multiplies COUNT.
"""

import collections
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

BIN, ROOT = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
sys.path.insert(0, str(ROOT / "tests" / "conformance"))

from language import Printer  # noqa: E402
from questions import make_questions, make_reach  # noqa: E402
from specifications import file_text  # noqa: E402

LEAST_CERTIFIED = 0.9
SECONDS = 60
VALUED = {"--spec", "-I", "-D", "-p", "--data-model"}


class Count:
    def __init__(self):
        self.counts = collections.Counter()
        self.reasons = collections.Counter()
        self.failures = []

    def certify(self, arguments, folder, name):
        """Runs agon with a certificate, and checks it if there is one."""
        with tempfile.TemporaryDirectory(prefix="agon-certify-") as scratch:
            certificate = pathlib.Path(scratch) / "certificate"
            done = subprocess.run(
                [BIN / "agon", *arguments, "--certificate", certificate,
                 "--timeout", str(SECONDS), "--json", "-"],
                cwd=folder, capture_output=True, text=True)
            if done.returncode not in (0, 1, 3):
                return
            results = json.loads(done.stdout)["results"]
            for result in results:
                if result["verdict"] != "holds":
                    continue
                self.counts["holds"] += 1
                if result.get("certificate") is None:
                    self.reasons[result.get("certificate_reason")] += 1
                else:
                    self.counts["certified"] += 1
            if certificate.exists():
                self.check(certificate, arguments, folder, name)

    def check(self, certificate, arguments, folder, name):
        command = [BIN / "agon-certify", certificate, *inputs(arguments[1:])]
        done = subprocess.run(command, cwd=folder, capture_output=True,
                              text=True)
        self.counts["accepted"] += len(
            re.findall(r"^accepted: ", done.stdout, re.MULTILINE))
        if done.returncode != 0:
            self.failures.append(
                f"{name}: {done.stdout[-800:]}{done.stderr[-800:]}")


def inputs(words):
    """The files, and the options that say how they are read."""
    result, words = [], list(words)
    while words:
        word = words.pop(0)
        if word in VALUED:
            result += [word, words.pop(0)]
        elif not word.startswith("-") or word[:2] in ("-I", "-D"):
            result.append(word)
        elif "=" not in word and word in ("--target", "--entry", "--property",
                                          "--conformance", "--blocks"):
            words.pop(0)
    return result


def regressions():
    """The commands of regression cases that hold, with their folders."""
    for path in sorted((ROOT / "tests" / "regress").rglob("*.test")):
        command = None
        for line in path.read_text().splitlines():
            if found := re.match(r"\s*(?:#\s*)?RUN: (.*)", line):
                command = found[1]
            elif re.match(r"\s*(?:#\s*)?EXPECT!?: holds", line) and command:
                words = shlex.split(command, comments=True)
                simple = words[0] == "agon" and words[1] in ("check", "reach")
                if simple and not set(words) & {"|", ">", ";", "&&", "--json"}:
                    if not any("math" in w or "%" in w for w in words):
                        yield words[1:], path.parent, path.name
                command = None


def examples():
    folder = ROOT / "examples"
    for spec in sorted(folder.glob("*.agon")):
        if (spec.with_suffix(".c")).exists():
            yield (["check", spec.with_suffix(".c").name, "--spec", spec.name],
                   folder, spec.name)
    for name in ("square_root.c",):
        yield ["reach", name], folder, name


def random_files(count, first):
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory(prefix="agon-certify-") as folder:
            base = pathlib.Path(folder)
            unit, _ = make_questions(seed, 6)
            (base / "u.c").write_text(Printer(unit).file(unit.cases))
            (base / "u.agon").write_text(file_text(unit, unit.cases))
            yield (["check", "u.c", "--spec", "u.agon"], folder,
                   f"random {seed}")
            unit, reached = make_reach(seed)
            if not reached:
                name = unit.cases[0].function.name
                (base / "r.c").write_text(Printer(unit).file())
                yield (["reach", "r.c", "--entry", name], folder,
                       f"random reach {seed}")


def main():
    count = int(sys.argv[3]) * int(os.environ.get("AGON_TEST_SCALE", "1"))
    counted = Count()
    for source in (examples(), regressions(),
                   random_files(count, int(sys.argv[4]))):
        for arguments, folder, name in source:
            counted.certify(arguments, folder, name)
    for failure in counted.failures:
        print("FAILED", failure)
    print(dict(counted.counts), dict(counted.reasons))
    share = counted.counts["certified"] / max(1, counted.counts["holds"])
    is_complete = (counted.counts["accepted"] == counted.counts["certified"]
                   and counted.counts["holds"] > 10
                   and share >= LEAST_CERTIFIED)
    return 1 if counted.failures or not is_complete else 0


if __name__ == "__main__":
    sys.exit(main())
