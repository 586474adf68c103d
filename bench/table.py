#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a table of CPU seconds and peak memory of `agon lts compare` on random
pairs where the relation holds. Each command is a whole run: start, read both
files, decide. The least CPU time of three runs is shown.

usage: bench/table.py [--build DIR] [--large]
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

from measure import run

# relation, states, transitions per state, labels, silent share, deterministic
CASES = [
    *[("simulation", n, 3.5, 10, 0.0, False) for n in (1000, 10000, 100000)],
    *[("weak-simulation", n, 3.5, 10, 0.2, False) for n in (1000, 10000, 100000)],
    *[("trace", n, 3.5, 10, 0.0, False) for n in (1000, 10000, 100000)],
    *[("weak-trace", n, 3.5, 10, 0.2, False) for n in (1000, 10000, 100000)],
    *[("trace", n, 3.5, 10, 0.0, True) for n in (1000, 10000, 100000)],
    *[("trace", n, 10.0, 2, 0.0, False) for n in (300, 1000, 3000)],
    *[("simulation", n, 10.0, 2, 0.0, False) for n in (300, 1000, 3000)],
]
LARGE = [
    ("simulation", 1000000, 3.5, 10, 0.0, False),
    ("weak-simulation", 1000000, 3.5, 10, 0.2, False),
    ("trace", 1000000, 3.5, 10, 0.0, False),
    ("trace", 1000000, 3.5, 10, 0.0, True),
    ("strong", 1000000, 3.5, 10, 0.0, True),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--large", action="store_true",
                        help="also pairs of a million states")
    arguments = parser.parse_args()
    binaries = pathlib.Path(arguments.build).resolve() / "bin"

    print(f"{'relation':<16} {'states':>8} {'density':>7} {'labels':>6} "
          f"{'silent':>6} {'spec':>7} {'CPU s':>8} {'MB':>6} {'exit':>4}")
    with tempfile.TemporaryDirectory() as folder:
        impl, spec = f"{folder}/impl.aut", f"{folder}/spec.aut"
        for relation, states, density, labels, silent, deterministic in (
                CASES + (LARGE if arguments.large else [])):
            subprocess.run([binaries / "agon_write_pair", str(states),
                            str(density), str(labels), str(silent),
                            str(int(deterministic)), impl, spec], check=True)
            results = [run([str(binaries / "agon"), "lts", "compare", impl, spec,
                            "--relation", relation]) for _ in range(3)]
            seconds, megabytes, code = min(results)
            print(f"{relation:<16} {states:>8} {density:>7} {labels:>6} "
                  f"{silent:>6} {'det' if deterministic else 'nondet':>7} "
                  f"{seconds:>8.3f} {megabytes:>6.0f} {code:>4}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
