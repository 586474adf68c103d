#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damages certificates: agon-certify must reject them.

    mutation_test.py BIN FLAT_C JUDGE_C ROOT COUNT SEED

Each of COUNT mutations changes one thing in a certificate, or gives it with
another file. What is accepted all the same must still be a proof, as recheck.py
finds out on its own. AGON_TEST_SCALE multiplies COUNT.
"""

import collections
import copy
import hashlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import recheck

BIN, FLAT_C, JUDGE_C, ROOT = map(pathlib.Path, sys.argv[1:5])

SPEC = """
A = (open -> B), B = (write -> B | close -> A) + {reset}.
assume void dev_open(void) : (open -> return -> STOP);
assume void dev_write(void) : (write -> return -> STOP);
assume void dev_close(void) : (close -> return -> STOP);
assume void dev_reset(void) : (reset -> return -> STOP);
verify int run(int n, int mode) : A;
"""
OTHER_SPEC = SPEC.replace("close -> A", "close -> A | reset -> B")
PROGRAMS = {
    "device": ("""
void dev_open(void); void dev_write(void); void dev_close(void);
void dev_reset(void);
static int is_open;
int run(int n, int mode) {
  int i;
  is_open = 0;
  for (i = 0; i < n; ++i) {
    if (!is_open) { dev_open(); is_open = 1; }
    if (mode == 3) { dev_close(); is_open = 0; }
    else dev_write();
  }
  if (is_open > 1) dev_reset();
  return i;
}
""", SPEC),
    "count": ("""
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0, y = 10;
  while (__VERIFIER_nondet_int()) {
    if (x < 10) { ++x; --y; }
    if (x > 10) reach_error();
  }
  if (y != 10 - x) reach_error();
  return 0;
}
""", None),
    "lock": ("""
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int locked;
static void lock(void) { if (locked) reach_error(); locked = 1; }
static void unlock(void) { if (!locked) reach_error(); locked = 0; }
int main(void) {
  int old, new = 0;
  do {
    lock();
    old = new;
    if (__VERIFIER_nondet_int()) { unlock(); ++new; }
  } while (new != old);
  unlock();
  return 0;
}
""", None),
    "word": ("""
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int order = strcmp("b", "a");
  if (n > 7) n = 7;
  if (order < 0 && n > 3) reach_error();
  return n;
}
""", None),
    # Proved with the loop written out.
    "bits": ("""
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), sum = 0;
  for (int i = 0; i < 4; ++i) sum += n & 1 << i;
  if (sum != (n & 15)) reach_error();
  return sum;
}
""", None),
}


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def digest(flat):
    """Of the first program that flat_c has printed."""
    return sha256(json.loads(flat)[0]["program"])


class Judge:
    """agon-certify, which stays there for the next question."""

    def __init__(self, folder):
        self.process = subprocess.Popen(
            [JUDGE_C], cwd=folder, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)

    def ask(self, *words):
        """The exit code and the words."""
        self.process.stdin.write("\t".join(words).encode() + b"\n")
        self.process.stdin.flush()
        code, size = map(int, self.process.stdout.readline().split())
        return code, self.process.stdout.read(size).decode()


class Case:
    """A program with its certificate."""

    def __init__(self, folder, judge, name, text, spec):
        self.folder, self.asked = folder, judge
        self.files = [f"{name}.c"]
        (folder / f"{name}.c").write_text(text)
        self.spec = []
        command = ["reach", *self.files]
        if spec:
            (folder / f"{name}.agon").write_text(spec)
            self.spec = ["--spec", f"{name}.agon"]
            command = ["check", *self.files, *self.spec]
        done = subprocess.run(
            [BIN / "agon", *command, "--certificate", f"{name}.json"],
            cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{name}: {done.stdout}{done.stderr}")
        self.certificate = json.loads((folder / f"{name}.json").read_text())
        self.flat = self.flatten(f"{name}.json", self.files)

    def flatten(self, certificate, files):
        """What the certificate would be about; None if that is nothing."""
        done = subprocess.run(
            [FLAT_C, certificate, *self.spec, *files], cwd=self.folder,
            capture_output=True, text=True)
        return done.stdout if done.returncode == 0 else None

    def judge(self, certificate, files=None, spec=None):
        """The exit code and the words of agon-certify."""
        (self.folder / "damaged.json").write_text(json.dumps(certificate))
        return self.asked.ask("damaged.json", *(files or self.files),
                              *(self.spec if spec is None else spec))


class Damage:
    """Changes one thing at random; says what."""

    def __init__(self, rng, case):
        self.rng, self.case = rng, case
        self.certificate = copy.deepcopy(case.certificate)
        self.proof = rng.choice(self.certificate["proofs"])
        self.component = self.proof["components"][0]
        self.flat, self.files = case.flat, case.files

    def predicate(self):
        """None if there are none."""
        return self.rng.choice(self.component["predicates"] or [None])

    def state(self):
        return self.rng.choice(self.component["states"])

    def refresh(self):
        """What people read, so that only the meaning is wrong."""
        predicates = self.component["predicates"]
        for state in self.component["states"]:
            state["holds"] = [
                predicates[abs(n) - 1]["text" if n > 0 else "negation"]
                for n in state["literals"]]

    def change_constant(self):
        predicate = self.predicate()
        if predicate is None:
            return None
        exact = predicate["exact"]
        found = list(re.finditer(r"#x([0-9a-f]+)", exact))
        if not found:
            return None
        one = self.rng.choice(found)
        digits = len(one[1])
        value = (int(one[1], 16) + self.rng.choice([1, -1])) % (16 ** digits)
        predicate["exact"] = (exact[:one.start()] + f"#x{value:0{digits}x}" +
                              exact[one.end():])
        return self.print_again(f"{exact} -> {predicate['exact']}")

    def change_comparison(self):
        predicate = self.predicate()
        if predicate is None:
            return None
        exact = predicate["exact"]
        for a, b in self.rng.sample([("bvslt", "bvsle"), ("(= ", "(bvsle "),
                                     ("(= ", "(bvule "), ("bvult", "bvule"),
                                     ("bvsle", "bvslt")], 5):
            if a in exact:
                predicate["exact"] = exact.replace(a, b, 1)
                return self.print_again(f"{exact} -> {predicate['exact']}")
        return None

    def print_again(self, what):
        """Lets agon-certify tell how a predicate is printed, if it does."""
        self.refresh()
        for _ in range(2 * len(self.component["predicates"])):
            code, text = self.case.judge(self.certificate)
            found = re.search(r"'(.*)' is not what the predicate says: "
                              r"'(.*)' and '(.*)'", text)
            if code != 1 or not found:
                break
            for predicate in self.component["predicates"]:
                if predicate["text"] == found[1]:
                    predicate["text"] = found[2]
                    predicate["negation"] = found[3]
            self.refresh()
        return what

    def drop_literal(self):
        state = self.state()
        if not state["literals"]:
            return None
        literal = state["literals"].pop(
            self.rng.randrange(len(state["literals"])))
        self.refresh()
        return f"literal {literal} dropped"

    def flip_literal(self):
        state = self.state()
        if not state["literals"]:
            return None
        k = self.rng.randrange(len(state["literals"]))
        state["literals"][k] *= -1
        self.refresh()
        return f"literal {state['literals'][k]} flipped"

    def add_literal(self):
        state = self.state()
        most = len(self.component["predicates"])
        if most == 0:
            return None
        state["literals"].append(self.rng.choice([1, -1]) *
                                 self.rng.randint(1, most))
        self.refresh()
        return "literal added"

    def drop_state(self):
        """With its steps and pairs; others get new numbers."""
        states = self.component["states"]
        gone = self.rng.randrange(len(states))
        del states[gone]
        def number(n):
            return n - (n > gone)
        self.component["steps"] = [
            [number(a), l, number(b)] for a, l, b in self.component["steps"]
            if gone not in (a, b)]
        self.proof["relation"] = [
            [[number(a[0])], s] for a, s in self.proof["relation"]
            if a[0] != gone]
        return f"state {gone} dropped"

    def drop_step(self):
        steps = self.component["steps"]
        if not steps:
            return None
        return f"step {steps.pop(self.rng.randrange(len(steps)))} dropped"

    def change_step(self):
        if not self.component["steps"]:
            return None
        step = self.rng.choice(self.component["steps"])
        labels = {s[1] for s in self.component["steps"]} | {"tau", "reset"}
        states = len(self.component["states"])
        k = self.rng.randrange(3)
        step[k] = (self.rng.choice(sorted(labels)) if k == 1
                   else self.rng.randrange(states))
        return f"step {step}"

    def drop_pair(self):
        pairs = self.proof["relation"]
        return f"pair {pairs.pop(self.rng.randrange(len(pairs)))} dropped"

    def change_pair(self):
        pair = self.rng.choice(self.proof["relation"])
        pair[1] = sorted(self.rng.sample(
            range(self.proof["specification_states"]),
            self.rng.randint(0, self.proof["specification_states"])))
        return f"pair {pair}"

    def add_pair(self):
        pair = [[self.rng.randrange(len(self.component["states"]))],
                [self.rng.randrange(self.proof["specification_states"])]]
        self.proof["relation"].append(pair)
        return f"pair {pair} added"

    def change_place(self):
        state = self.state()
        state["place"] = re.sub(r":(\d+)", lambda m: f":{int(m[1]) + 1}",
                                state["place"], count=1)
        return f"place {state['place']}"

    def change_location(self):
        """Statements of one line have one place, and a state that moves over an
        edge that does nothing may still be right. So the place is made to fit,
        and what is accepted has to be a proof."""
        state = self.state()
        state["location"] += self.rng.choice([1, -1])
        state["location"] = max(0, state["location"])
        _, text = self.case.judge(self.certificate)
        if found := re.search(r"state \d+ is at '(.*)' and not at", text):
            state["place"] = found[1]
        return f"location {state['location']}"

    def change_text(self):
        predicate = self.predicate()
        if predicate is None:
            return None
        predicate["text"] += " "
        return "text"

    def change_rounds(self):
        """More of them prove no less."""
        self.component["rounds"] = max(
            0, self.component["rounds"] + self.rng.choice([-2, -1, 1, 2]))
        return f"{self.component['rounds']} rounds"

    def change_program(self):
        self.component["program"] = "0" * 64
        return "digest of the program"

    def change_library(self):
        """The digest of the program is that of the one that is meant."""
        self.proof["library"] = not self.proof["library"]
        (self.case.folder / "damaged.json").write_text(
            json.dumps(self.certificate))
        self.flat = self.case.flatten("damaged.json", self.case.files)
        self.component["program"] = digest(self.flat)
        return f"library {self.proof['library']}"

    def change_source(self):
        """A line of the file is another one, or gone, and all digests are those
        of the new file."""
        lines = (self.case.folder / self.case.files[0]).read_text().split("\n")
        k = self.rng.randrange(len(lines))
        numbers = list(re.finditer(r"\b\d+\b", lines[k]))
        if numbers and self.rng.random() < 0.7:
            one = self.rng.choice(numbers)
            value = int(one[0]) + self.rng.choice([1, -1])
            lines[k] = lines[k][:one.start()] + str(value) + lines[k][one.end():]
        elif lines[k].strip() and not lines[k].startswith(("extern", "void")):
            lines[k] = ""
        else:
            return None
        text = "\n".join(lines)
        self.files = [f"changed/{self.case.files[0]}"]
        (self.case.folder / "changed").mkdir(exist_ok=True)
        (self.case.folder / self.files[0]).write_text(text)
        self.certificate["sources"][0]["sha256"] = sha256(text)
        (self.case.folder / "damaged.json").write_text(
            json.dumps(self.certificate))
        self.flat = self.case.flatten("damaged.json", self.files)
        if self.flat is None:
            return None
        self.component["program"] = digest(self.flat)
        return f"line {k + 1}: {lines[k]}"

    def change_errors(self):
        if not self.proof["errors"]:
            return None
        self.proof["errors"].pop(0)
        return "an error is not looked for"


MEANING = ["change_constant", "change_comparison", "drop_literal",
           "flip_literal", "add_literal", "drop_state", "drop_step",
           "change_step", "drop_pair", "change_pair", "add_pair",
           "change_location", "change_rounds", "change_library", "change_source"]
TEXT = ["change_place", "change_text", "change_program", "change_errors"]


def with_other_files(case, folder, text):
    """The right certificate, with files that it is not about."""
    (folder / "other.c").write_text(text + "\n/* changed */\n")
    (folder / "other.agon").write_text(OTHER_SPEC)
    yield case.judge(case.certificate, files=["other.c"]), "another file"
    if case.spec:
        yield (case.judge(case.certificate, spec=["--spec", "other.agon"]),
               "another specification")
        yield case.judge(case.certificate, spec=[]), "no specification"


def main():
    count = int(sys.argv[5]) * int(os.environ.get("AGON_TEST_SCALE", "1"))
    rng = random.Random(int(sys.argv[6]))
    counts, failures = collections.Counter(), []
    with tempfile.TemporaryDirectory(prefix="agon-mutation-") as scratch:
        folder = pathlib.Path(scratch)
        judge = Judge(folder)
        cases = [Case(folder, judge, name, *parts)
                 for name, parts in PROGRAMS.items()]
        for case, (text, _) in zip(cases, PROGRAMS.values()):
            code, words = case.judge(case.certificate)
            if code != 0 or not recheck.is_proof(case.flat, case.certificate):
                raise SystemExit(f"{case.files}: not even a proof: {words}")
            for (code, _), what in with_other_files(case, folder, text):
                counts["files"] += 1
                if code == 0:
                    failures.append(f"{case.files}: accepted with {what}")
        while sum(counts.values()) - counts["too hard"] < count:
            case = rng.choice(cases)
            kind = rng.choice(MEANING if rng.random() < 0.9 else TEXT)
            damage = Damage(rng, case)
            what = getattr(damage, kind)()
            if what is None or damage.certificate == case.certificate:
                continue
            code, words = case.judge(damage.certificate, files=damage.files)
            if code in (1, 2):
                counts["rejected " + kind] += 1
                continue
            if code != 0 or kind in TEXT:
                failures.append(f"{case.files}: {what}: exit {code}: {words}")
                counts["wrong"] += 1
                continue
            try:
                if recheck.is_proof(damage.flat, damage.certificate):
                    counts["still right " + kind] += 1
                else:
                    counts["wrong"] += 1
                    failures.append(f"{case.files}: accepted with {what}")
            except recheck.TooHard:
                counts["too hard"] += 1
    for failure in failures[:20]:
        print("FAILED", failure)
    print(dict(sorted(counts.items())))
    return 1 if failures or counts["too hard"] > count / 20 else 0


if __name__ == "__main__":
    sys.exit(main())
