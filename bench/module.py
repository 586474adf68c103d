#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what `agon module` costs on stacks in C of several sizes, for all clients:
that no index is wrong, and a client that gets an overflow; and what callbacks
cost. CPU seconds of whole runs: the least of three.

usage: bench/module.py [--build DIR] [--sizes N,N…]
"""

import argparse
import json
import os
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NEVER = "P = STOP + {call.oflo}.\nverify module : P;\n"
wrong = []


def run(agon, options, times=3):
    """CPU seconds and the results."""
    least = None
    for _ in range(times):
        with tempfile.NamedTemporaryFile() as output:
            pid = os.fork()
            if pid == 0:
                null = os.open(os.devnull, os.O_WRONLY)
                os.dup2(null, 1)
                os.dup2(null, 2)
                os.execv(agon, [agon, "module", *options, "--api", "push,pop",
                                "--json", output.name])
            _, _, usage = os.wait4(pid, 0)
            document = json.loads(pathlib.Path(output.name).read_text())
        seconds = usage.ru_utime + usage.ru_stime
        least = seconds if least is None else min(least, seconds)
    return least, document["results"]


def expect(what, result, wanted):
    if result["verdict"] != wanted:
        wrong.append(f"{what}: {result['verdict']} instead of {wanted}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--sizes", default="2,4,8,16,32")
    arguments = parser.parse_args()
    agon = str(pathlib.Path(arguments.build).resolve() / "bin/agon")
    stack = str(ROOT / "examples/stack.c")
    with tempfile.TemporaryDirectory() as folder:
        never = pathlib.Path(folder) / "never.agon"
        never.write_text(NEVER)
        print("Stack in C. CPU s (iterations, predicates).\n")
        print(f"{'size':>6} {'no error':>20} {'oflo':>20} {'callbacks':>20}")
        for size in map(int, arguments.sizes.split(",")):
            define = f"-DSIZE={size}"
            cells = []
            for extra, row, wanted in (([], 0, "holds"),
                                       (["--spec", str(never)], 1, "violated"),
                                       (["--callbacks"], 0, "holds")):
                seconds, results = run(agon, [stack, define, *extra])
                expect(f"size {size} {extra}", results[row], wanted)
                cells.append(f"{seconds:.3f} ({results[row]['iterations']}, "
                             f"{len(results[row]['predicates'])})")
            print(f"{size:>6} " + " ".join(f"{cell:>20}" for cell in cells))
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
