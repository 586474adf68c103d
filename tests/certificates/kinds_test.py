#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Are certificates of every kind accepted, and damaged ones rejected?

    kinds_test.py BIN FLAT_C

Modules, callbacks, recursion that was followed, calls through pointers to known
functions, and freedom of deadlock. Every
step, pair and state that is left out, one at a time, and every literal that is
left out or turned round must be noticed; what is accepted all the same must be
a proof for recheck.py, too. For programs of several components, where this
cannot tell, nothing may be accepted but what is listed below.
"""

import copy
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import recheck

BIN, FLAT_C = map(pathlib.Path, sys.argv[1:3])

STACK = """
extern void reach_error(void);
static int top;
static int cells[4];
int push(int value) {
  if (top == 4) return -1;
  cells[top++] = value;
  return 0;
}
int pop(int *value) {
  if (top == 0) return -1;
  if (top > 4 || top < 0) reach_error();
  *value = cells[--top];
  return 0;
}
"""
STACK_SPEC = """
S = (call.push -> push.return[_] -> S | call.pop -> pop.return[_] -> S).
verify module : S;
"""
CALLBACKS = """
extern void reach_error(void);
void tell(void);
static int busy;
static int count;
int enter(void) {
  if (busy) return -1;
  busy = 1;
  count = count + 1;
  tell();
  if (count != 1) reach_error();
  count = count - 1;
  busy = 0;
  return 0;
}
"""
RECURSION = """
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
static unsigned sum(unsigned n) { return n == 0 ? 0 : n + sum(n - 1); }
int main(void) {
  unsigned last = 0;
  while (__VERIFIER_nondet_uchar()) {
    if (last > 6) reach_error();
    last = sum(__VERIFIER_nondet_uchar() & 3);
  }
  return 0;
}
"""
OWN = """
void put(void);
int shallow(int n) {
  if (n <= 0 || n > 3) return 0;
  put();
  return shallow(n - 1) + 1;
}
"""
OWN_SPEC = """
assume void put(void) : (put -> return -> STOP);
S = (put -> T | shallow.return[0] -> STOP), T = (put -> U | return[1] -> STOP),
U = (put -> V | return[2] -> STOP), V = (return[3] -> STOP).
verify int shallow(int n) : S;
""".replace("shallow.return", "return")
HANDLERS = """
extern void reach_error(void);
extern int command(void);
static int start(int *d) { *d = 0; return 0; }
static int put(int *d) { return *d < 2 ? ++*d : 0; }
int main(void) {
  int own = 0;
  int (*handler)(int *) = start;
  while (command()) {
    handler(&own);
    if (own < 0 || own > 2) reach_error();
    handler = put;
  }
  return 0;
}
"""
TABLE = """
void take(void); void give(void); void eat(void);
void left(void) { for (;;) { take(); eat(); give(); } }
void right(void) { for (;;) { take(); give(); } }
"""
TABLE_SPEC = """
assume void take(void) : (take -> return -> STOP);
assume void give(void) : (give -> return -> STOP);
assume void eat(void) : (eat -> return -> STOP);
verify program Together = left || right : deadlock-free;
"""
CASES = {
    "module": ("module", STACK, STACK_SPEC, ["--api", "push,pop"]),
    "callbacks": ("module", CALLBACKS, None, ["--api", "enter", "--callbacks"]),
    "recursion": ("reach", RECURSION, None, []),
    "handlers": ("reach", HANDLERS, None, []),
    "own": ("check", OWN, OWN_SPEC, []),
    "deadlock": ("check", TABLE, TABLE_SPEC, []),
}
OTHERS = {  # The same questions with other words for agon-certify.
    "module": [["--api", "push"], ["--api", "pop,push"], [],
               ["--api", "push,pop", "--callbacks"]],
    "callbacks": [["--api", "enter"]],
    "recursion": [["--api", "main"]],
}


class Case:
    """A file with its certificate."""

    def __init__(self, folder, name):
        self.name, self.folder = name, folder
        command, text, spec, self.words = CASES[name]
        self.files = [f"{name}.c"]
        (folder / f"{name}.c").write_text(text)
        if spec:
            (folder / f"{name}.agon").write_text(spec)
            self.words = [*self.words, "--spec", f"{name}.agon"]
        done = self.run([BIN / "agon", command, *self.files, *self.words,
                         "--certificate", f"{name}.json"])
        path = folder / f"{name}.json"
        if done.returncode != 0 or not path.exists():
            raise SystemExit(f"{name}: {done.stdout}{done.stderr}")
        self.certificate = json.loads(path.read_text())
        self.flat = self.run([FLAT_C, path, *self.words, *self.files]).stdout

    def run(self, command):
        return subprocess.run(command, cwd=self.folder, capture_output=True,
                              text=True)

    def judge(self, certificate, words=None):
        (self.folder / "damaged.json").write_text(json.dumps(certificate))
        done = self.run([BIN / "agon-certify", "damaged.json", *self.files,
                         *(self.words if words is None else words)])
        return done.returncode, done.stdout + done.stderr

    def is_proof(self, certificate):
        return (len(certificate["proofs"][0]["components"]) == 1 and
                recheck.is_proof(self.flat, certificate))


def refresh(component):
    for state in component["states"]:
        state["holds"] = [component["predicates"][abs(n) - 1][
            "text" if n > 0 else "negation"] for n in state["literals"]]


def without_state(proof, number, gone):
    """With its steps and pairs; others get new numbers."""
    component = proof["components"][number]
    del component["states"][gone]
    component["steps"] = [[a - (a > gone), l, b - (b > gone)]
                          for a, l, b in component["steps"]
                          if gone not in (a, b)]
    left = [[a, s] for a, s in proof["relation"] if a[number] != gone]
    for states, _ in left:
        states[number] -= states[number] > gone
    proof["relation"] = left


def damaged(certificate):
    """Each with one thing wrong, and what it is."""
    for p, proof in enumerate(certificate["proofs"]):
        for k in range(len(proof["relation"])):
            made = copy.deepcopy(certificate)
            del made["proofs"][p]["relation"][k]
            yield made, f"pair {proof['relation'][k]} dropped"
        for c, component in enumerate(proof["components"]):
            for k in range(len(component["steps"])):
                made = copy.deepcopy(certificate)
                del made["proofs"][p]["components"][c]["steps"][k]
                yield made, f"step {component['steps'][k]} dropped"
            for k, state in enumerate(component["states"]):
                made = copy.deepcopy(certificate)
                without_state(made["proofs"][p], c, k)
                yield made, f"state {k} dropped"
                for l in range(len(state["literals"])):
                    for sign in (0, -1):
                        made = copy.deepcopy(certificate)
                        changed = made["proofs"][p]["components"][c]
                        literals = changed["states"][k]["literals"]
                        literals[l] *= sign
                        changed["states"][k]["literals"] = [
                            n for n in literals if n != 0]
                        refresh(changed)
                        yield made, f"literal {l} of state {k} times {sign}"


def with_pairs(certificate):
    """All states that the components could be in together, one more each."""
    proof = certificate["proofs"][0]
    known = [a for a, _ in proof["relation"]]
    for states in itertools.product(
            *(range(len(c["states"])) for c in proof["components"])):
        if list(states) in known:
            continue
        made = copy.deepcopy(certificate)
        made["proofs"][0]["relation"].append([list(states), [0]])
        yield made


def check(case):
    code, words = case.judge(case.certificate)
    if code != 0:
        yield f"rejected: {words}"
    count = 0
    for certificate, what in damaged(case.certificate):
        count += 1
        code, words = case.judge(certificate)
        if code == 0 and not case.is_proof(certificate):
            yield f"accepted with {what}"
        if code not in (0, 1, 2):
            yield f"exit code {code} with {what}: {words}"
    for words in OTHERS.get(case.name, []):
        count += 1
        if case.judge(case.certificate, words)[0] == 0:
            yield f"accepted with {words}"
    if count < 6:
        yield "hardly anything to damage"


def check_deadlocks(case):
    answers = [case.judge(made) for made in with_pairs(case.certificate)]
    if not any("no component can go on" in words for _, words in answers):
        yield "a deadlock was not noticed"
    made = copy.deepcopy(case.certificate)
    made["proofs"][0]["target"] = "Apart"
    if case.judge(made)[0] == 0:
        yield "accepted for another program"


def main():
    failures = []
    with tempfile.TemporaryDirectory(prefix="agon-kinds-") as scratch:
        for name in CASES:
            case = Case(pathlib.Path(scratch), name)
            failures += [f"{name}: {each}" for each in check(case)]
            if name == "deadlock":
                failures += [f"{name}: {each}"
                             for each in check_deadlocks(case)]
    for failure in failures:
        print("FAILED", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
