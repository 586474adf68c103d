#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what `agon falsify` and `agon reach` cost on programs whose error lies
behind a loop of k rounds, for growing k. Each is a whole run, in CPU seconds;
- means that the limit was reached, or that the verdict is unknown.

usage: bench/falsify.py [--build DIR] [--timeout S] [--rounds K,K…]
"""

import argparse
import os
import pathlib
import subprocess
import tempfile

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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/release/bin")
    parser.add_argument("--timeout", type=int, default=10)
    parser.add_argument("--rounds", default="10,1000,100000,1000000")
    arguments = parser.parse_args()
    agon = str(pathlib.Path(arguments.build) / "agon")
    rounds = arguments.rounds.split(",")
    print("| program | domain | command | " + " | ".join(
        f"k = {int(k):,}" for k in rounds) + " |")
    print("|---|---|---|" + "---|" * len(rounds))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "loop.c"
        for name, domain, text in FAMILIES:
            for command in ("falsify", "reach"):
                cells = []
                for k in rounds:
                    if cells and cells[-1] == "-" and command == "reach":
                        cells.append("-")  # More rounds are not easier.
                        continue
                    body = text.replace("K", k)
                    path.write_text(HEADER + body + "  return 0;\n}\n")
                    words = [agon, command, str(path)]
                    if command == "falsify":
                        words += ["--domain", domain]
                    cells.append(run(words, arguments.timeout))
                print(f"| {name} | {domain if command == 'falsify' else ''} | "
                      f"{command} | " + " | ".join(cells) + " |", flush=True)


main()
