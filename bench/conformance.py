#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what `agon reach` and `agon check` cost on generated programs of growing
size, and how that grows; and, with --sv-benchmarks, verdicts and costs on a copy
of sv-benchmarks (its directory `c`). Each is a whole run: CPU seconds of the
process and its children, and peak memory. A task gets S seconds of CPU time.

usage: bench/conformance.py [--build DIR] [--sizes N,N…] [--timeout S]
                            [--sv-benchmarks DIR [--sets NAME,NAME…]
                             [--sample N] [--list]]
"""

import argparse
import json
import math
import pathlib
import re
import sys
import tempfile

from measure import run
from write_conformance import handshake, locks

SIZES = "5,10,15,20,25,30,40,50"
SETS = ("ssh-simplified", "locks", "ntdrivers-simplified")
VERDICTS = {0: "holds", 1: "violated", 3: "unknown"}


def run_json(command, output, cpu_limit=None):
    """Exit code, CPU seconds, peak MB and the JSON of a run of agon, which is {}
    if there is no verdict."""
    cpu, memory, code = run(command + ["--json", output], cpu_limit)
    document = {}
    if code in VERDICTS:
        document = json.loads(pathlib.Path(output).read_text())
    pathlib.Path(output).unlink(missing_ok=True)
    return code, cpu, memory, document


def exponent(points):
    """The slope of the logarithms: y grows as x to the power of this."""
    pairs = [(math.log(x), math.log(y)) for x, y in points if y > 0]
    mean_x = sum(x for x, _ in pairs) / len(pairs)
    mean_y = sum(y for _, y in pairs) / len(pairs)
    return (sum((x - mean_x) * (y - mean_y) for x, y in pairs)
            / sum((x - mean_x) ** 2 for x, _ in pairs))


def family(name, write, sizes, agon, timeout, folder):
    """Measures one family; the answer is whether all its verdicts are right."""
    right = True
    costs = []
    print(f"\n{name}\n{'n':>4} {'verdict':>9} {'CPU s':>8} {'MB':>6} "
          f"{'predicates':>10} {'states':>8} {'iterations':>10}")
    for size in sizes:
        arguments = write(size, folder)
        code, cpu, memory, document = run_json(
            [agon, *arguments, "--timeout", str(timeout)], f"{folder}/out.json")
        result = document["results"][0] if document else {}
        verdict = VERDICTS.get(code, f"exit {code}")
        right = right and verdict == "holds"
        if verdict == "holds":
            costs.append((size, cpu))
        print(f"{size:>4} {verdict:>9} {cpu:>8.2f} {memory:>6.0f} "
              f"{len(result.get('predicates', [])):>10} "
              f"{result.get('states', 0):>8} {result.get('iterations', 0):>10}",
              flush=True)
    upper = costs[len(costs) // 2:]  # Start-up dominates the small ones.
    if len(upper) >= 2:
        print(f"CPU time grows as n^{exponent(upper):.1f} from n = {upper[0][0]}")
    return right


def tasks(folder):
    """(file, expected verdict, data model) of the tasks that ask for
    unreach-call."""
    for path in sorted(folder.glob("*.yml")):
        text = path.read_text()
        files = re.search(r"^input_files: *['\"]?([^'\"\n]+)", text, re.M)
        verdict = re.search(
            r"unreach-call\.prp\s+expected_verdict: (true|false)", text)
        model = re.search(r"data_model: (ILP32|LP64)", text)
        if files and verdict:
            yield (path.parent / files[1], verdict[1] == "true",
                   model[1] if model else "ILP32")


def sample(all_tasks, size):
    """So many of them, evenly spread; all if there is no such number."""
    all_tasks = list(all_tasks)
    if not size or len(all_tasks) <= size:
        return all_tasks
    return [all_tasks[i * len(all_tasks) // size] for i in range(size)]


def sv_benchmarks(options, agon, folder):
    root = pathlib.Path(options.sv_benchmarks)
    property_file = root / "properties/unreach-call.prp"
    print(f"\n{'set':<22} {'tasks':>5} {'correct':>7} {'wrong':>5} "
          f"{'unknown':>7} {'CPU s':>8} {'slowest':>8} {'MB':>6}")
    right = True
    for name in options.sets.split(","):
        counts = {"correct": 0, "wrong": 0, "unknown": 0}
        times, peak, problems = [], 0, []
        for path, expected, model in sample(tasks(root / name), options.sample):
            code, cpu, memory, document = run_json(
                [agon, "reach", str(path), "--data-model", model, "--property",
                 str(property_file), "--timeout", str(4 * options.timeout)],
                f"{folder}/out.json", options.timeout)
            if code not in (0, 1):
                kind = "unknown"
            else:
                kind = "correct" if (code == 0) == expected else "wrong"
            counts[kind] += 1
            times.append(cpu)
            peak = max(peak, memory)
            if kind != "correct" or options.list:
                result = document["results"][0] if document else {}
                problems.append(
                    f"  {kind}: {path.name} (exit {code}, {cpu:.2f} s, "
                    f"{memory:.0f} MB, {result.get('iterations')} iterations"
                    f"): {result.get('reason')}")
        right = right and counts["wrong"] == 0
        if times:
            print(f"{name:<22} {len(times):>5} {counts['correct']:>7} "
                  f"{counts['wrong']:>5} {counts['unknown']:>7} "
                  f"{sum(times):>8.2f} {max(times):>8.2f} {peak:>6.0f}")
        else:
            print(f"{name:<22} not there")
        for line in problems:
            print(line)
        sys.stdout.flush()
    return right


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--timeout", type=int, default=100)
    parser.add_argument("--sv-benchmarks", metavar="DIR")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--sample", type=int, metavar="N",
                        help="no more than so many tasks of a set")
    parser.add_argument("--list", action="store_true",
                        help="a line for every task, solved or not")
    options = parser.parse_args()
    agon = str(pathlib.Path(options.build).resolve() / "bin/agon")
    sizes = [int(size) for size in options.sizes.split(",") if size]
    with tempfile.TemporaryDirectory() as folder:
        right = True
        if options.sizes:
            right &= family("locks (agon reach)", locks, sizes, agon,
                            options.timeout, folder)
            right &= family("handshake (agon check)", handshake, sizes, agon,
                            options.timeout, folder)
        if options.sv_benchmarks:
            right &= sv_benchmarks(options, agon, folder)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
