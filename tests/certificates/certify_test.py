#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Are all proofs of agon accepted by agon-certify?

    certify_test.py BIN ROOT COUNT FIRST_SEED

Runs the examples, the regression cases that hold, and COUNT random files of
tests/conformance with --certificate. A certificate that is rejected is a
mistake. That there is none is one too, except for what docs/certificates.md
lists; of random files, nine of ten must have one. AGON_TEST_SCALE multiplies
COUNT.
"""

import collections
import gzip
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

SCALE = float(os.environ.get("AGON_TEST_SCALE", "1"))
LEAST_CERTIFIED = 0.9
SECONDS = 300
# Options of agon-certify, and of agon alone, that have a value.
READING = {"--spec", "-I", "-D", "-p", "--data-model", "--api"}
READING_ALONE = {"--callbacks"}
DECIDING = {"--target", "--entry", "--property", "--conformance", "--blocks",
            "--predicates", "--solver", "--levels", "--minimize", "--timeout",
            "--memory", "--unrolling", "--invariants", "--falsification",
            "--counterexamples", "--trace"}
# What has no certificate, and why, as docs/certificates.md says.
NONE = {
    "reach statics.c --entry keeps_memory": "the proof rests on",
    **{f"reach told.c --entry {name}": "the proof rests on"
       for name in ("one_of_two", "not_yet_through_memory", "allocated",
                    "allocated_and_text_told", "given_back")},
    # That a pointer stays in its array, of a flat program nobody knows.
    "reach walks.c -DCASE=6": "the proof rests on",
    "reach conversions.c --entry apart": "the proof rests on",
    "reach union_parts.c --entry apart": "the proof rests on",
    "reach told_chain.c": "the proof rests on",
    "reach seen_as.c --entry apart": "the proof rests on",
    "reach container.c --entry another_member": "the proof rests on",
    # What was allocated, and somebody has a pointer to it.
    "module handles.c --api counter_new,counter_check": "no predicate was found",
    "check ../../../examples/commit.c -DPARTICIPANTS=8 --spec commit8.agon "
    "--memory 300": "too many states",
    "check ../../../examples/commit.c -DPARTICIPANTS=8 --spec commit8.agon "
    "--memory 300 --conformance simulation": "too many states",
}
# The proof of the flat program is not found soon: what is easy where memory is
# divided is hard for the solver where it is not.
# The last one rests on what integers point to, and to find that out takes a
# minute of 64 rounds.
ENDLESS = {"reach unrolling.c -DWRONG= --unrolling on --timeout 50",
           "reach command.c --timeout 50",
           "reach integers.c -DCASE=6"}


class Count:
    def __init__(self):
        self.counts = collections.Counter()
        self.reasons = collections.Counter()
        self.failures = []

    def certify(self, arguments, folder, name, is_random=False):
        """Runs agon with a certificate, and checks it if there is one."""
        words = " ".join(map(str, arguments)).replace("../../../examples/", "")
        if words in ENDLESS:
            self.counts["listed"] += 1
            return
        with tempfile.TemporaryDirectory(prefix="agon-certify-") as scratch:
            certificate = pathlib.Path(scratch) / "certificate"
            limit = [] if "--timeout" in arguments else [
                "--timeout", str(SECONDS)]
            done = subprocess.run(
                [BIN / "agon", *arguments, "--certificate", certificate,
                 *limit, "--json", "-"],
                cwd=folder, capture_output=True, text=True)
            if done.returncode == 2 and "has no 'verify'" in done.stderr:
                return
            if done.returncode not in (0, 1, 3):
                self.failures.append(f"{name} {arguments}: {done.stderr}")
                return
            results = json.loads(done.stdout)["results"]
            for result in results:
                if result["verdict"] == "holds":
                    self.count(result, name, arguments, is_random)
            if certificate.exists():
                self.check(certificate, arguments, folder, name, [
                    (r["target"], r["spec"]) for r in results
                    if r.get("certificate") is not None])

    def count(self, result, name, arguments, is_random):
        kind = "random " if is_random else ""
        reason = result.get("certificate_reason", "no reason")
        if result.get("certificate") is not None:
            self.counts[f"{kind}certified"] += 1
            return
        known = NONE.get(" ".join(map(str, arguments)))
        if known is not None and known in reason:
            self.counts["listed"] += 1
            return
        self.counts[f"{kind}none"] += 1
        self.reasons[reason] += 1
        if not is_random:
            self.failures.append(f"{name} {arguments}: none: {reason}")

    def check(self, certificate, arguments, folder, name, certified):
        """All that is certified is proved, and what that takes for granted."""
        proofs = [(p["target"], p["spec"])
                  for p in contents(certificate)["proofs"]]
        for each in set(certified):
            if proofs.count(each) != certified.count(each):
                self.failures.append(f"{name}: {each} is not proved")
        self.counts["taken for granted"] += len(proofs) - len(certified)
        command = [BIN / "agon-certify", certificate, *inputs(arguments[1:])]
        done = subprocess.run(command, cwd=folder, capture_output=True,
                              text=True)
        self.counts["accepted"] += len(
            re.findall(r"^accepted: ", done.stdout, re.MULTILINE))
        if done.returncode != 0:
            self.failures.append(
                f"{name}: {done.stdout[-800:]}{done.stderr[-800:]}")


def contents(certificate):
    text = certificate.read_bytes()
    return json.loads(gzip.decompress(text) if text[:2] == b"\x1f\x8b"
                      else text)


def inputs(words):
    """The files, and the options that say how they are read."""
    result, words = [], list(words)
    while words:
        word = words.pop(0)
        if word in READING:
            result += [word, words.pop(0)]
        elif word in DECIDING:
            words.pop(0)
        elif (not word.startswith("-") or word[:2] in ("-I", "-D")
              or word in READING_ALONE):
            result.append(word)
    return result


HOLDS = r"\s*(?:#\s*)?(EXPECT!?: holds|OUTPUT: module: .*: holds)"


def regressions():
    """The commands of regression cases that hold, with their folders."""
    for path in sorted((ROOT / "tests" / "regress").rglob("*.test")):
        command = None
        for line in path.read_text().splitlines():
            if found := re.match(r"\s*(?:#\s*)?RUN: (.*)", line):
                command = found[1]
            elif re.match(HOLDS, line) and command:
                words = shlex.split(command, comments=True)
                while "--json" in words:
                    at = words.index("--json")
                    del words[at:at + 2]
                simple = (words[0] == "agon" and
                          words[1] in ("check", "reach", "module"))
                if simple and not set(words) & {"|", ">", ";", "&&"}:
                    if not any("math" in w or "%" in w or w == "--paper"
                               for w in words):
                        yield words[1:], path.parent, path.name
                command = None


MODULES = [["stack.c", "--api", "push,pop", "--spec", "stack.agon"],
           ["stack_bug.c", "--api", "push,pop"]]


def examples():
    folder = ROOT / "examples"
    for words in MODULES:
        yield ["module", *words], folder, words[0]
    for spec in sorted(folder.glob("*.agon")):
        source = folder / (spec.stem.split("_")[0] + ".c")
        is_library = "verify" not in spec.read_text()
        if source.exists() and not is_library:
            yield (["check", source.name, "--spec", spec.name], folder,
                   spec.name)


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
    count = round(int(sys.argv[3]) * SCALE)
    counted = Count()
    for source in (examples(), regressions()):
        for arguments, folder, name in source:
            counted.certify(arguments, folder, name)
    for arguments, folder, name in random_files(count, int(sys.argv[4])):
        counted.certify(arguments, folder, name, is_random=True)
    for failure in counted.failures:
        print("FAILED", failure)
    counts = counted.counts
    print(dict(counts), dict(counted.reasons))
    certified = counts["certified"] + counts["random certified"]
    proved = certified + counts["taken for granted"]
    is_complete = counts["accepted"] == proved and certified > 10
    all_random = counts["random certified"] + counts["random none"]
    is_enough = counts["random certified"] >= LEAST_CERTIFIED * all_random
    return 0 if is_complete and is_enough and not counted.failures else 1


if __name__ == "__main__":
    sys.exit(main())
