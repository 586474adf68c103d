#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what checking a certificate costs, compared with the proof: `agon` alone,
`agon --certificate`, and `agon-certify`, on the examples and on generated
programs. Each is a whole run: CPU seconds of the process and its children. The
last column is the cost of checking in costs of the proof, which is that of `agon`
alone.

usage: bench/certify.py [--build DIR] [--sizes N,N…] [--timeout S]
"""

import argparse
import pathlib
import sys
import tempfile

from measure import run
from write_conformance import handshake, locks

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOAL = 3


def examples():
    for spec in sorted((ROOT / "examples").glob("*.agon")):
        source = spec.with_suffix(".c")
        if source.exists():
            yield spec.stem, ["check", str(source), "--spec", str(spec)]


def generated(sizes, folder):
    for size in sizes:
        for name, write in (("locks", locks), ("handshake", handshake)):
            yield f"{name} {size}", list(map(str, write(size, folder)))


def measure(name, arguments, tools, timeout, folder):
    """Prints a line; the answer is the ratio, or nothing."""
    certificate = pathlib.Path(folder) / "certificate"
    certificate.unlink(missing_ok=True)
    limit = ["--timeout", str(timeout)]
    proof, _, code = run([f"{tools}/agon", *arguments, *limit])
    both, _, _ = run([f"{tools}/agon", *arguments, *limit, "--certificate",
                      str(certificate)])
    if code not in (0, 1, 3) or not certificate.exists():
        print(f"{name:<20} {proof:>8.2f} {both:>8.2f} {'none':>9}")
        return None
    check, _, code = run([f"{tools}/agon-certify", str(certificate),
                          *arguments[1:]])
    print(f"{name:<20} {proof:>8.2f} {both:>8.2f} {check:>9.2f} "
          f"{check / proof:>8.1f}{'' if code == 0 else '  REJECTED'}")
    return check / proof


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=str(ROOT / "build" / "release"))
    parser.add_argument("--sizes", default="5,10,20")
    parser.add_argument("--timeout", type=int, default=120)
    arguments = parser.parse_args()
    tools = pathlib.Path(arguments.build) / "bin"
    sizes = [int(n) for n in arguments.sizes.split(",")]
    print(f"{'':<20} {'proof s':>8} {'+ cert.':>8} {'check s':>9} {'ratio':>8}")
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for name, words in [*examples(), *generated(sizes, folder)]:
            ratio = measure(name, words, tools, arguments.timeout, folder)
            if ratio is not None:
                ratios.append(ratio)
    within = sum(ratio <= GOAL for ratio in ratios)
    print(f"{within} of {len(ratios)} within {GOAL} times the proof")
    return 0 if ratios else 1


if __name__ == "__main__":
    sys.exit(main())
