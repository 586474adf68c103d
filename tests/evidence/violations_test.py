#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every violation can be run again: by `agon replay`, and as a compiled
program with its harness.

    violations_test.py AGON regress FOLDER...
    violations_test.py AGON random COUNT FIRST_SEED

With `regress`, the commands of all regression cases in the folders that expect
a violation; with `random`, procedures of the generator
of tests/conformance. gcc and the processor are the oracle: the compiled program
has to perform the recorded actions, and no others, and to say where the last one
happens. A violation of a program of several components is replayed, and its
chart has to show the recorded events in their order. AGON_TEST_SCALE multiplies
COUNT.
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "conformance"), str(HERE.parent / "regress")]

# Reasons for which there is no harness, as docs/evidence.md lists them.
ALLOWED = [
    "one execution does not show the violation",
    "memory is used at 0x([0-9a-f]{1,4}|[89a-f][0-9a-f]{15}), where no "
    "process has any",
]
# The same where a routine would have to call a function of the program that
# knows what it changes; where several pointers lead there in turn; and where
# bytes next to what is changed are recorded.
HIDDEN = "memory is changed at 0x[0-9a-f]+, which the routine that changes it"
ALLOWED_HIDDEN = ["reach callbacks.c -DCASE=by_what_is_kept",
                  "reach told.c --entry by_a_handler",
                  "reach told_chain.c -DTOLD",
                  "reach told.c --entry the_other_of_two"]
COMMANDS = [["check"], ["reach"], ["falsify"], ["module"]]
# Commands whose violations need no recording.
NOT_RECORDED = ["--callbacks"]
INPUTS = ["bool", "char", "schar", "uchar", "short", "ushort", "int", "uint",
          "long", "ulong", "longlong", "ulonglong", "pointer"]
# What a harness says that it cannot choose.
DOUBT = "the harness cannot choose a value"


class Checker:
    def __init__(self, agon, folder):
        self.agon = agon
        self.folder = pathlib.Path(folder)
        self.failed = 0
        self.done = []  # The commands.
        self.words = ""  # Of the one that is run.
        self.counts = {"violations": 0, "replayed": 0, "compiled": 0,
                       "without harness": 0, "in doubt": 0,
                       "not recorded": 0}

    def fail(self, name, text):
        self.failed += 1
        print(f"FAILED {name}: {text}", flush=True)

    def run(self, words, cwd, seconds=600):
        return subprocess.run(words, cwd=cwd, capture_output=True, text=True,
                              timeout=seconds, errors="replace")

    def result(self, name, cwd, path, is_excused=False):
        """All violations of a result."""
        answer = json.loads(path.read_text())
        for number, result in enumerate(answer["results"], 1):
            if result["verdict"] != "violated" or result.get("conditional"):
                continue
            self.counts["violations"] += 1
            if "components" in result:
                self.program(f"{name} result {number}", cwd, path, number,
                             result["counterexample"])
                continue
            found = result["counterexample"]
            if is_excused and "recording" not in (found or {}):
                self.counts["not recorded"] += 1
                continue
            self.violation(f"{name} result {number}", cwd, path, number,
                           result)

    def violation(self, name, cwd, path, number, result):
        found = result["counterexample"]
        if found is None or "recording" not in found:
            return self.fail(name, "no recording")
        harness = self.folder / f"h{self.counts['violations']}.c"
        done = self.run([self.agon, "replay", str(path), "--trust", "--result",
                         str(number), "--harness", str(harness)], cwd)
        if done.returncode != 1:
            return self.fail(name, f"replay: {done.stdout}{done.stderr}")
        self.counts["replayed"] += 1
        actions = found["recording"]["actions"]
        shown = re.search(r"^  actions: (.*)$", done.stdout, re.M)
        if not shown or shown[1] != ", ".join(actions):
            self.fail(name, f"replay shows {shown and shown[1]}")
        refused = re.search(r"^  no harness: (.*)$", done.stdout, re.M)
        if refused:
            self.counts["without harness"] += 1
            allowed = ALLOWED + ([HIDDEN] if self.words in ALLOWED_HIDDEN
                                 else [])
            if not any(re.search(a, refused[1]) for a in allowed):
                self.fail(name, refused[0])
            return None
        return self.compiled(name, cwd, harness, actions,
                             DOUBT in done.stdout)

    def program(self, name, cwd, path, number, found):
        if "interleaving" not in found:
            return self.fail(name, "no interleaving")
        again = self.folder / "again.json"
        done = self.run([self.agon, "replay", str(path), "--trust", "--result",
                         str(number), "--json", str(again)], cwd)
        if done.returncode != 1:
            return self.fail(name, f"replay: {done.stdout}{done.stderr}")
        self.counts["replayed"] += 1
        shown = json.loads(again.read_text())["results"][0]["counterexample"]
        for key in ("actions", "waiting"):
            if shown.get(key) != found.get(key):
                self.fail(name, f"{key}: {shown.get(key)} {found.get(key)}")
        events = found["interleaving"]["events"]
        for steps in (shown.get("steps", []), found.get("steps", [])):
            by_number = {s["event"]: s["action"] for s in steps
                         if s.get("event")}
            if [by_number[n] for n in sorted(by_number)] != events:
                self.fail(name, f"{by_number} instead of {events}")
        return None

    def compiled(self, name, cwd, harness, actions, is_in_doubt):
        command = harness.read_text().split("\n")[0]
        command = command.removeprefix("/* ").removesuffix(" && ./a.out */")
        program = harness.with_suffix("")
        built = self.run([*shlex.split(command), "-o", str(program),
                          str(self.rest())], cwd)
        if built.returncode != 0:
            return self.fail(name, f"{command}\n{built.stderr}")
        try:
            done = self.run([str(program)], cwd, 20)
        except subprocess.TimeoutExpired:
            return self.fail(name, f"{command}\nno end")
        expected = "".join(a + "\n" for a in actions) + "violation\n"
        if done.returncode == 1 and done.stdout == expected:
            self.counts["compiled"] += 1
        elif is_in_doubt:
            self.counts["in doubt"] += 1
        else:
            self.fail(name, f"{command}\nexit code {done.returncode}, "
                      f"{done.stdout!r} instead of {expected!r}")
        return None

    def rest(self):
        """Inputs of other procedures in the file, which are not called."""
        path = self.folder / "rest.c"
        path.write_text("".join(
            f"__attribute__((weak)) int __VERIFIER_nondet_{name}(void) "
            "{ __builtin_trap(); }\n" for name in INPUTS))
        return path

    # Where violations come from.

    def regress(self, file):
        import run as regress
        for line, command, wanted in regress.cases(file):
            words = shlex.split(command.replace("%s", str(file)))
            if words[0] != "agon" or words[1:2] not in COMMANDS:
                continue
            if not any(d.startswith("EXPECT") and a == "violated"
                       for d, a in wanted):
                continue
            if "--json" in words:
                at = words.index("--json")
                del words[at:at + 2]
            if (file.parent, words) in self.done:
                continue
            self.done.append((file.parent, words))
            self.words = " ".join(words[1:])
            path = self.folder / "result.json"
            path.unlink(missing_ok=True)
            name = f"{file.parent.name}/{file.name}:{line}"
            done = self.run([self.agon, *words[1:], "--json", str(path)],
                            file.parent)
            if done.returncode != 1:
                self.fail(name, f"exit code {done.returncode}: {done.stderr}")
                continue
            is_excused = any(w in words for w in NOT_RECORDED)
            self.result(name, file.parent, path, is_excused)

    def random(self, seed, count):
        from language import Printer
        from questions import make_questions
        from specifications import file_text
        unit, _ = make_questions(seed, count)
        (self.folder / "u.c").write_text(Printer(unit).file(unit.cases))
        (self.folder / "u.agon").write_text(file_text(unit, unit.cases))
        path = self.folder / "result.json"
        self.run([self.agon, "check", "u.c", "--spec", "u.agon", "--timeout",
                  "60", "--json", str(path)], self.folder)
        self.result(f"seed {seed}", self.folder, path)


def main(agon, kind, *rest):
    with tempfile.TemporaryDirectory(prefix="agon-evidence-") as folder:
        checker = Checker(str(pathlib.Path(agon).resolve()), folder)
        if kind == "regress":
            files = sorted(f for r in rest
                           for f in pathlib.Path(r).resolve().rglob("*.test"))
            for file in files:
                checker.regress(file)
        else:
            scale = float(os.environ.get("AGON_TEST_SCALE", "1"))
            for seed in range(int(rest[1]), int(rest[1]) + max(
                    1, round(int(rest[0]) * scale / 25))):
                checker.random(seed, 25)
        print(", ".join(f"{n} {k}" for k, n in checker.counts.items()))
        if checker.counts["compiled"] == 0:
            checker.fail("all", "nothing was compiled")
    return checker.failed != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
