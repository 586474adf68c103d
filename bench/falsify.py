#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what `agon falsify` and `agon reach` cost on programs whose error lies
behind a loop of k rounds, for growing k. Each is a whole run, in CPU seconds;
- means that so much was used up, or that the verdict is unknown.

usage: bench/falsify.py [--build DIR] [--timeout S] [--rounds K,K…]

With --tasks FOLDER… it compares `agon reach` with and without falsification on
the C files of local folders instead, or on --sample N of each: how much longer
it takes where both end alike and games are played that do not help, and every
verdict that differs. It compares the number of queries to the solver, and times:
the least CPU times of --repeat N runs, or instructions where runs are short and
times say that it costs much, if there is a valgrind. With --instructions these
are counted wherever runs are short. It also says how many models of the loop
were played, and how many of these games were stopped by the bound of their work.

With --must FOLDER… it plays `agon falsify` on these files with and without must
transitions, and counts where they help or hurt.
"""

import argparse
import pathlib
import tempfile

import conformance
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
    ("a sum", "interval+affine", """
  int i = 0, s = 0;
  while (i < K) { s = s + 2; i++; }
  if (s == 2 * K) reach_error();
"""),
]


def run(command, timeout):
    """CPU seconds if the error was found within so many."""
    cost, _, code = measure.run(command, timeout)
    return f"{cost:.2f}" if code == 1 else "-"


SHORT = 0.4  # CPU seconds; little noise looks like much there.
MUCH = 1.05
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


class Task:
    """A C file, decided with and without falsification."""

    def __init__(self, agon, path, timeout, repeat, counts_all):
        self.path = path
        self.counts_all = counts_all
        self.commands = {way: [agon, "reach", str(path), "--falsification", way]
                         for way in ("off", "on")}
        self.cpu, self.verdict, self.queries = {}, {}, {}
        self.decide(timeout)
        if len(set(self.verdict.values())) == 2:
            self.decide(3 * timeout)  # Is it only that one is a little faster?
        self.is_alike = (self.verdict["on"] == self.verdict["off"]
                         != "no answer")
        self.is_measured = (self.is_alike and self.is_played
                            and not self.is_won)
        self.ratio = self.compare(repeat) if self.is_measured else None

    def decide(self, timeout):
        for way, command in self.commands.items():
            with tempfile.TemporaryDirectory() as folder:
                code, self.cpu[way], _, document = conformance.run_json(
                    [*command, "--stats"], f"{folder}/out.json", timeout)
            self.verdict[way] = conformance.VERDICTS.get(code, "no answer")
            results = document.get("results", [])
            counts = document.get("statistics", {})
            self.queries[way] = max(counts.get("solver.calls", 0), 1)
        self.models = counts.get("falsification.models", 0)
        self.stopped = counts.get("falsification.stopped", 0)
        self.is_won = any("strategy" in result for result in results)
        # Without an answer, games are played in the end, too.
        self.is_played = ("falsification.models" in counts
                          or self.verdict["on"] == "unknown")

    def compare(self, repeat):
        """By the least of several CPU times, both ways in turn, so that they
        meet the same noise; and by instructions if it is short, and this says
        that falsification costs much or all are to be counted."""
        least = dict(self.cpu)
        for way in (repeat - 1) * ("off", "on"):
            cost, _, _ = measure.run(self.commands[way])
            least[way] = min(least[way], cost)
        ratio = least["on"] / least["off"]
        is_cheap = ratio < MUCH and not self.counts_all
        if is_cheap or max(least.values()) > SHORT:
            return ratio
        counted = {way: measure.instructions(command)
                   for way, command in self.commands.items()}
        return counted["on"] / counted["off"] if all(counted.values()) else ratio


def compare(agon, folders, timeout, repeat, sample, counts_all):
    """Prints a row for each folder, every verdict that differs, and what takes
    longer by a twentieth."""
    print("| folder | files | alike | won by a game | models | stopped | "
          "measured | queries | greatest | on | CPU s without | with | time | "
          "greatest | on |\n" + 15 * "|---" + "|",
          flush=True)
    remarks = []
    for folder in folders:
        paths = sorted(pathlib.Path(folder).glob("*.[ci]"))
        if 0 < sample < len(paths):
            paths = [paths[i * len(paths) // sample] for i in range(sample)]
        tasks = [Task(agon, path, timeout, repeat, counts_all)
                 for path in paths]
        remarks += [
            f"{t.path.name}: {t.verdict['off']} without ({t.cpu['off']:.1f} s), "
            f"{t.verdict['on']} with falsification ({t.cpu['on']:.1f} s)"
            for t in tasks if t.verdict["on"] != t.verdict["off"]]
        measured = [t for t in tasks if t.is_measured]
        remarks += [f"{t.path.name}: {t.ratio:.3f}" for t in measured
                    if t.ratio > MUCH]
        alike = [t for t in tasks if t.is_alike]
        print(f"| `{pathlib.Path(folder).name}` | {len(tasks)} | {len(alike)} | "
              f"{sum(t.is_won for t in alike)} | "
              f"{sum(t.models for t in tasks)} | "
              f"{sum(t.stopped for t in tasks)} | {len(measured)} | "
              + summary([(t.queries["on"] / t.queries["off"], t.path.name)
                         for t in measured]) + " | "
              + " | ".join(f"{sum(t.cpu[way] for t in measured):.2f}"
                           for way in ("off", "on")) + " | "
              + summary([(t.ratio, t.path.name) for t in measured]) + " |",
              flush=True)
    for remark in remarks:
        print(remark)


DOMAINS = ["sign", "interval", "sign+interval", "interval+affine", "parity",
           "predicates"]


def measure_must(agon, folders, timeout):
    """Prints a row for each domain, and where must transitions matter."""
    paths = [path for folder in folders
             for path in sorted(pathlib.Path(folder).glob("*.[ci]"))]
    print("| domain | programs | falsified | helped | hurt | CPU s | with must |"
          "\n" + 7 * "|---" + "|", flush=True)
    remarks = []
    for domain in DOMAINS:
        won = {"off": [], "on": []}
        cpu = dict.fromkeys(won, 0.0)
        for path in paths:
            for way, names in won.items():
                cost, _, code = measure.run(
                    [agon, "falsify", str(path), "--domain", domain,
                     "--must", way], timeout)
                cpu[way] += cost
                if code == 1:
                    names.append(path.name)
        helped = [name for name in won["on"] if name not in won["off"]]
        hurt = [name for name in won["off"] if name not in won["on"]]
        remarks += [f"{domain}: {what} {name}"
                    for what, names in (("helped", helped), ("hurt", hurt))
                    for name in names]
        print(f"| {domain} | {len(paths)} | {len(won['off'])} | {len(helped)} | "
              f"{len(hurt)} | {cpu['off']:.1f} | {cpu['on']:.1f} |", flush=True)
    for remark in remarks:
        print(remark)


def summary(ratios):
    """Their mean, and the greatest."""
    if not ratios:
        return "- | - | -"
    mean = measure.geometric_mean([ratio for ratio, _ in ratios])
    greatest, where = max(ratios)
    return f"{mean:.3f} | {greatest:.3f} | {where}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/release/bin")
    parser.add_argument("--timeout", type=int, default=10)
    parser.add_argument("--rounds", default="10,1000,100000,1000000")
    parser.add_argument("--tasks", nargs="+")
    parser.add_argument("--must", nargs="+")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--instructions", action="store_true")
    arguments = parser.parse_args()
    agon = str(pathlib.Path(arguments.build) / "agon")
    if arguments.tasks:
        compare(agon, arguments.tasks, arguments.timeout, arguments.repeat,
                arguments.sample, arguments.instructions)
    elif arguments.must:
        measure_must(agon, arguments.must, arguments.timeout)
    else:
        measure_rounds(agon, arguments.rounds.split(","), arguments.timeout)


main()
