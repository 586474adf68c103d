#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what `agon reach` and `agon check` cost on generated programs of growing
size, and how that grows; and, with --sv-benchmarks, verdicts and costs on a copy
of sv-benchmarks (its directory `c`). Each is a whole run: CPU seconds of the
process and its children, and peak memory.

usage: bench/conformance.py [--build DIR] [--sizes N,N…] [--timeout S]
                            [--sv-benchmarks DIR]
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
    """(file, expected verdict) of the tasks that ask for unreach-call."""
    for path in sorted(folder.glob("*.yml")):
        text = path.read_text()
        files = re.search(r"^input_files: *['\"]?([^'\"\n]+)", text, re.M)
        verdict = re.search(
            r"unreach-call\.prp\s+expected_verdict: (true|false)", text)
        if files and verdict:
            yield path.parent / files[1], verdict[1] == "true"


def sv_benchmarks(root, agon, timeout, folder):
    print(f"\n{'set':<22} {'tasks':>5} {'correct':>7} {'wrong':>5} "
          f"{'unknown':>7} {'CPU s':>8} {'slowest':>8} {'MB':>6}")
    right = True
    for name in SETS:
        counts = {"correct": 0, "wrong": 0, "unknown": 0}
        times, peak, problems = [], 0, []
        for path, expected in tasks(root / name):
            code, cpu, memory, _ = run_json(
                [agon, "reach", str(path), "--data-model", "ILP32",
                 "--timeout", str(timeout)], f"{folder}/out.json")
            if code not in (0, 1):
                kind = "unknown"
            else:
                kind = "correct" if (code == 0) == expected else "wrong"
            counts[kind] += 1
            times.append(cpu)
            peak = max(peak, memory)
            if kind != "correct":
                problems.append(f"  {kind}: {path.name} (exit {code})")
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
    options = parser.parse_args()
    agon = str(pathlib.Path(options.build).resolve() / "bin/agon")
    sizes = [int(size) for size in options.sizes.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        right = family("locks (agon reach)", locks, sizes, agon,
                       options.timeout, folder)
        right &= family("handshake (agon check)", handshake, sizes, agon,
                        options.timeout, folder)
        if options.sv_benchmarks:
            right &= sv_benchmarks(pathlib.Path(options.sv_benchmarks), agon,
                                   options.timeout, folder)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
