#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what `agon falsify` and `agon reach` cost on programs whose error lies
behind a loop of k rounds, for growing k. Each is a whole run, in CPU seconds;
- means that the limit was reached, or that the verdict is unknown.

usage: bench/falsify.py [--build DIR] [--timeout S] [--rounds K,K…]

With --tasks FOLDER… it compares `agon reach` with and without falsification on
the C files of local folders instead: CPU seconds of both, and every verdict
that differs. The least of --repeat N runs counts.
"""

import argparse
import os
import pathlib
import subprocess
import tempfile

import measure

HEADER = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
"""

# Name, domain, text; K is the number of rounds.
FAMILIES = [
    ("count to k", "interval", """
  int i = 0, s = 1;
  while (i < K) { s = s * s + i; i++; }
  if (s == 77 || i == K) reach_error();
"""),
    ("count to an input above k", "interval", """
  int n = __VERIFIER_nondet_int(), i, s = 1;
  for (i = 0; i < n; i++) s = s * s + i;
  if (s == 77 || n > K) reach_error();
"""),
    ("which way in each round is unknown", "sign", """
  int i, s = 1, e = 1;
  for (i = 0; i < K; i++) {
    s = s * 5 + i;
    if ((s & 12) == 4) e = 1; else e = 2;
  }
  if (e > 0) reach_error();
"""),
    ("a loop in a loop, k rounds in all", "interval", """
  int i, j, s = 1;
  for (i = 0; i < K / 10; i++)
    for (j = 0; j < 10; j++) s = s * s + j;
  if (s == 77 || i >= K / 10) reach_error();
"""),
    ("an input in each round", "interval", """
  int i, s = 0;
  for (i = 0; i < K; i++) {
    int x = __VERIFIER_nondet_int();
    if (x < 0) return 0;
    s = s ^ x;
  }
  if (s == 77 || i == K) reach_error();
"""),
    ("two counters stay equal", "predicates", """
  int i, a = 0, b = 0;
  for (i = 0; i < K; i++) { a++; b++; }
  if (a == b) reach_error();
"""),
    ("steps of two", "interval", """
  int i = 0, s = 1;
  while (i < K) { s = s * s + i; i += 2; }
  if (s == 77 || i >= K) reach_error();
"""),
    ("a bound that is included", "interval", """
  int n = __VERIFIER_nondet_int(), i = 0, s = 1;
  while (i <= n) { s = s * s + i; i++; }
  if (s == 77 || n > K) reach_error();
"""),
    ("steps of one or two", "interval", """
  int i = 0;
  while (i < K) if (__VERIFIER_nondet_int()) i += 1; else i += 2;
  if (i >= K) reach_error();
"""),
    ("down to zero with i-- > 0", "interval", """
  int n = __VERIFIER_nondet_int(), s = 1;
  unsigned i = n;
  while (i-- > 0) s = s * 3 + i;
  if (s == 5 || n > K) reach_error();
"""),
    ("two counters meet", "predicates", """
  int i = 0, j = K;
  while (i < j) { i++; j--; }
  if (i >= j) reach_error();
"""),
    ("stays as long as it likes", "predicates", """
  int c = 0;
  while (__VERIFIER_nondet_int()) c++;
  if (c >= K) reach_error();
"""),
    ("a flag ends the loop", "predicates", """
  int i = 0, done = 0;
  while (!done) { i++; if (i >= K) done = 1; }
  if (i >= K) reach_error();
"""),
    ("a sum", "interval", """
  int i = 0, s = 0;
  while (i < K) { s = s + 2; i++; }
  if (s == 2 * K) reach_error();
"""),
]


def run(command, timeout):
    """CPU seconds if the error was found within the limit."""
    before = os.times()
    try:
        code = subprocess.run(command + ["--timeout", str(timeout)],
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL,
                              timeout=3 * timeout).returncode
    except subprocess.TimeoutExpired:
        code = None
    after = os.times()
    cost = (after.children_user - before.children_user
            + after.children_system - before.children_system)
    return f"{cost:.2f}" if code == 1 else "-"


VERDICTS = {0: "holds", 1: "violated", 3: "unknown"}
COMMANDS = ["falsify", "reach", "reach --falsification off"]


def measure_rounds(agon, rounds, timeout):
    print("| program | domain | command | " + " | ".join(
        f"k = {int(k):,}" for k in rounds) + " |")
    print("|---|---|---|" + "---|" * len(rounds))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "loop.c"
        for name, domain, text in FAMILIES:
            for command in COMMANDS:
                is_alone = command == "falsify"
                cells = []
                for k in rounds:
                    if cells and cells[-1] == "-" and not is_alone:
                        cells.append("-")  # More rounds are not easier.
                        continue
                    body = text.replace("K", k)
                    path.write_text(HEADER + body + "  return 0;\n}\n")
                    words = [agon, *command.split(), str(path)]
                    if is_alone:
                        words += ["--domain", domain]
                    cells.append(run(words, timeout))
                print(f"| {name} | {domain if is_alone else ''} | "
                      f"{command} | " + " | ".join(cells) + " |", flush=True)


def compare(agon, folders, timeout, repeat):
    """Both ways on each file, in turn, so that both meet the same noise; the
    least of `repeat` runs counts."""
    total = {"on": 0.0, "off": 0.0}
    ratios = []
    count = decided = 0
    for path in sorted(p for f in folders for p in pathlib.Path(f).glob("*.c")):
        found = {}
        for way in repeat * ("off", "on"):
            cost, _, code = measure.run(
                [agon, "reach", str(path), "--falsification", way], timeout)
            verdict = VERDICTS.get(code, "unknown")
            cost = min(cost, found.get(way, (cost,))[0])
            found[way] = (cost, verdict)
            if verdict == "unknown" and way == "on":
                break
        count += 1
        if found["on"][1] != found["off"][1]:
            print(f"{path.name}: {found['off'][1]} without, {found['on'][1]} "
                  "with falsification", flush=True)
        elif found["on"][1] != "unknown":
            decided += 1
            ratios.append(found["on"][0] / found["off"][0])
            for way, (cost, _) in found.items():
                total[way] += cost
    print(f"{count} files, {decided} decided both ways: {total['off']:.1f} s "
          f"without, {total['on']:.1f} s with falsification; mean ratio "
          f"{measure.geometric_mean(ratios):.3f}, greatest {max(ratios):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/release/bin")
    parser.add_argument("--timeout", type=int, default=10)
    parser.add_argument("--rounds", default="10,1000,100000,1000000")
    parser.add_argument("--tasks", nargs="+")
    parser.add_argument("--repeat", type=int, default=1)
    arguments = parser.parse_args()
    agon = str(pathlib.Path(arguments.build) / "agon")
    if arguments.tasks:
        compare(agon, arguments.tasks, arguments.timeout, arguments.repeat)
    else:
        measure_rounds(agon, arguments.rounds.split(","), arguments.timeout)


main()
