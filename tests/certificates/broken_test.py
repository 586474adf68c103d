#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is a wrong `holds` ever certified?

    broken_test.py AGON_BROKEN AGON_CERTIFY

AGON_BROKEN makes one kind of mistake, which the environment variable AGON_BREAK
chooses: it slices too much away, overlooks what a pointer can call, where one
from outside points to, or what an unknown routine can change, forgets a step,
rounds of a loop or paths, or believes of loops what it has not proved. All
programs here can fail: they get to an error, also as modules by some client, or
get stuck. Each mistake must make some of them `hold`, and then there must be no
certificate, or agon-certify must reject it.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

AGON, CERTIFY = map(os.path.abspath, sys.argv[1:3])
HEAD = """
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
"""
PROGRAMS = {
    "pointers": HEAD + """
static int good(void) { return 1; }
static int bad(void) { return 0; }
static int (*choice)(void);
int main(void) {
  choice = __VERIFIER_nondet_int() ? good : bad;
  if (!choice()) reach_error();
  return 0;
}
""",
    "calls": HEAD + """
int shared = 1;
extern void elsewhere(int *p);
int main(void) {
  int mine = 1;
  elsewhere(&mine);
  if (mine != 1) reach_error();
  if (shared != 1) reach_error();
  return 0;
}
""",
    "steps": HEAD + """
int main(void) {
  int state = 0;
  while (__VERIFIER_nondet_int()) {
    int input = __VERIFIER_nondet_int();
    if (state == 0 && input == 1) state = 1;
    else if (state == 1 && input == 2) state = 2;
    else if (state == 2 && input == 3) reach_error();
    else state = 0;
  }
  return 0;
}
""",
}
for first in range(3):  # One of the assignments is lost.
    PROGRAMS[f"slice {first}"] = HEAD + """
int main(void) {
  int x = 0, y = 0, z = 0;
""" + "  x = x + 0;\n" * first + """
  while (x < 5) { x = x + 1; y = y + 1; z = x + y; }
  if (z == 10) reach_error();
  return 0;
}
"""


# How a program is asked about, if not by `reach`: the words for agon, and for
# agon-certify; and a specification.
ASKED = {name: (["reach"], [], None) for name in PROGRAMS}
PROGRAMS["module"] = HEAD + """
static int state;
void step(int input) {
  if (state == 0 && input == 1) state = 1;
  else if (state == 1 && input == 2) state = 2;
  else if (state == 2 && input == 3) reach_error();
  else state = 0;
}
"""
API = ["--api", "step"]
ASKED["module"] = (["module", *API], API, None)
PROGRAMS["client"] = HEAD + """
static int *saved;
static int seen;
void keep(int *p) {
  saved = p;
  if (p) seen = *p;
}
void compare(void) { if (saved && *saved != seen) reach_error(); }
"""
KEEP = ["--api", "keep,compare"]
ASKED["client"] = (["module", *KEEP], KEEP, None)
PROGRAMS["called back"] = HEAD + """
extern void elsewhere(void (*f)(void));
static int n;
static void bump(void) { n = 1; }
int main(void) {
  n = 0;
  elsewhere(bump);
  if (n) reach_error();
  return 0;
}
"""
ASKED["called back"] = (["reach"], [], None)
KEEPER = HEAD + """
extern void elsewhere(void (*f)(void)), unknown(void), take(int *p);
static int *keeper;
static void handle(void) { %s; }
int main(void) {
  int local = 1;
  keeper = &local;
  elsewhere(handle);
  unknown();
  if (local != 1) reach_error();
  return 0;
}
"""
PROGRAMS["tells when called back"] = KEEPER % "take(keeper)"
ASKED["tells when called back"] = (["reach"], [], None)
PROGRAMS["writes when called back"] = KEEPER % "*keeper = 2"
ASKED["writes when called back"] = (["reach"], [], None)
# What routines were told, on all ways on which they can be.
TOLD = ["second_round", "changed_on_one_way", "the_other_of_two", "by_a_global",
        "by_a_number", "by_bytes", "by_value", "through_memory",
        "through_memory_that_was_told", "by_a_copy", "from_behind",
        "allocated_and_told", "by_a_handler"]
OWN = ["told_array", "told", "shown", "stored", "other_of_two"]
# Objects behind pointers from outside that are the same, or part of each other.
RELATED = ["part", "member", "own_member", "converted"]
REACH = pathlib.Path(__file__).resolve().parent.parent / "regress" / "reach"
ONLY = {}  # The mistakes that are tried.
for file, mistake, entries in (("told.c", "calls", TOLD),
                               ("own_memory.c", "calls", OWN),
                               ("unrelated.c", "outside", RELATED)):
    for entry in entries:
        PROGRAMS[entry] = (REACH / file).read_text()
        ASKED[entry] = (["reach", "--entry", entry], [], None)
        ONLY[entry] = [mistake]
PROGRAMS["relation"] = HEAD + """
int main(void) {
  int i = 0, sum = 0, once = 0, rounds = __VERIFIER_nondet_int();
  while (i < rounds) {
    i++;
    sum += 2;
    if (__VERIFIER_nondet_int() == 123456789 && i > 1) once = 1;
  }
  if (once && __VERIFIER_nondet_int() == 987654321) sum++;
  while (__VERIFIER_nondet_int()) { sum += 2; i++; }
  if (sum != 2 * i) reach_error();
  return 0;
}
"""
ASKED["relation"] = (["reach", "--falsification", "off"], [], None)
PROGRAMS["squares"] = HEAD + """
int main(void) {
  int n = __VERIFIER_nondet_int(), sum = 0;
  if (n < 0 || n > 9) return 0;
  for (int i = 0; i < n; i++) sum += i * i;
  if (sum == 30) reach_error();
  return 0;
}
"""
ASKED["squares"] = (["reach", "--unrolling", "on"], [], None)
PROGRAMS["deadlock"] = """
void take(void); void give(void);
int left(int n) {
  int i;
  for (i = 0; i < n; ++i) { take(); give(); }
  return 0;
}
void right(void) { for (;;) { take(); give(); } }
"""
DEADLOCK = ["--spec", "p.agon"]
ASKED["deadlock"] = (["check", *DEADLOCK], DEADLOCK, """
assume void take(void) : (take -> return -> STOP);
assume void give(void) : (give -> return -> STOP);
verify program Together = left || right : deadlock-free;
""")


def run(command, folder, mistake):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "AGON_BREAK": mistake})


def main():
    wrong = dict.fromkeys(("slice", "pointers", "outside", "calls", "steps",
                           "rounds", "paths", "invariants"), 0)
    rejected = dict.fromkeys(wrong, 0)
    failures, overlooked = [], []
    for name, text in PROGRAMS.items():
        with tempfile.TemporaryDirectory(prefix="agon-broken-") as folder:
            base = pathlib.Path(folder)
            (base / "p.c").write_text(text)
            (command, *words), certify, spec = ASKED[name]
            if spec:
                (base / "p.agon").write_text(spec)
            done = run([AGON, command, "p.c", *words], folder, "")
            if done.returncode != 1:
                failures.append(f"{name} does not fail: {done.stdout}")
            for mistake in ONLY.get(name, wrong):
                done = run([AGON, command, "p.c", *words, "--certificate",
                            "c.json", "--timeout", "60"], folder, mistake)
                if done.returncode != 0:
                    continue
                wrong[mistake] += 1
                overlooked.append(name)
                if not (base / "c.json").exists():
                    continue
                done = run([CERTIFY, "c.json", "p.c", *certify], folder, "")
                if done.returncode != 1:
                    failures.append(f"{name}, {mistake}: {done.stdout}")
                rejected[mistake] += 1
                (base / "c.json").unlink()
    failures += [f"nothing went wrong with {m}" for m, n in wrong.items()
                 if n == 0]
    # The others are noticed by the second proof already.
    missing = [name for name in ONLY if name not in overlooked]
    if missing:
        failures.append(f"nothing went wrong with {missing}")
    if rejected["steps"] == 0:
        failures.append("no wrong certificate was seen")
    for failure in failures:
        print("FAILED", failure)
    print(wrong, "rejected:", rejected)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
