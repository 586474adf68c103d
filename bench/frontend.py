#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a table of what lowering costs next to Clang's parse of the same file,
for generated files of growing size, or for the files that are named. The least
CPU time of three runs is shown.

usage: bench/frontend.py [--build DIR] [--extreme | FILE.c [ARGUMENT…]]
"""

import argparse
import pathlib
import subprocess
import tempfile

from write_c import EXTREMES, write_c

SIZES = (500, 1000, 2000, 5000, 10000, 20000, 50000)
RUNS = 3


def measure(program, arguments):
    """Seconds of parsing and of lowering, functions, edges, MB."""
    runs = []
    for _ in range(RUNS):
        done = subprocess.run([program, *arguments], stdout=subprocess.PIPE,
                              check=True, text=True)
        runs.append([float(word) for word in done.stdout.split()])
    return [min(run[0] for run in runs), min(run[1] for run in runs),
            *runs[0][2:4], max(run[4] for run in runs)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--extreme", action="store_true",
                        help="files that consist of one kind of line")
    parser.add_argument("file", nargs="*")
    options, extra = parser.parse_known_args()
    program = pathlib.Path(options.build).resolve() / "bin/agon_measure_frontend"

    print(f"{'lines':>8} {'functions':>9} {'edges':>9} {'parse s':>8} "
          f"{'lower s':>8} {'ratio':>6} {'MB':>6}")

    def show(path, arguments=(), name=""):
        lines = path.read_bytes().count(b"\n")
        parse, lower, functions, edges, memory = measure(
            program, [path, *arguments])
        print(f"{lines:>8,} {functions:>9,.0f} {edges:>9,.0f} {parse:>8.3f} "
              f"{lower:>8.3f} {lower / parse:>6.2f} {memory:>6.0f}"
              + (f"  {name}" if name else ""),
              flush=True)

    if options.file:
        show(pathlib.Path(options.file[0]), options.file[1:] + extra)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "generated.c")
        for name, write in EXTREMES.items() if options.extreme else ():
            path.write_text(write(SIZES[-1]))
            show(path, name=name)
        for size in () if options.extreme else SIZES:
            path.write_text(write_c(size))
            show(path)


if __name__ == "__main__":
    main()
