#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lowers public benchmarks, which are not part of the repository.

    benchmarks.py [--run] RUN_C SV_BENCHMARKS/c [OPENSSL_SOURCES]

Every .c and .i file in the folders below, and two files of OpenSSL 0.9.6c with
their headers, must be accepted. Prints how many are, and why others are not.

With --run each file of sv-benchmarks is also run with some random inputs, in
all modes of the corpus; it must end in the same way in each. What runs for
more than a moment is left out.
"""

import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from corpus_test import MODES

FOLDERS = ["ssh-simplified", "ssh", "locks", "loops", "ntdrivers-simplified",
           "systemc", "product-lines", "recursive-simple", "loop-acceleration"]
OPENSSL_FILES = ["ssl/s3_srvr.c", "ssl/s3_clnt.c"]
SECONDS = 120
RUN_SECONDS = 4
SEEDS = ["1", "2", "5", "9"]
WORKERS = 2


def data_model(file):
    """The options for a benchmark: those of its description, or 32 bits."""
    description = file.with_suffix(".yml")
    if description.exists() and re.search(r"data_model:\s*'?LP64",
                                          description.read_text()):
        return []
    return ["-m32"]


def lower(run_c, file, options):
    """What went wrong, in one line, and the time it took."""
    start = time.monotonic()
    try:
        done = subprocess.run([run_c, "--lower-only", *options, str(file)],
                              capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"no answer after {SECONDS} s", SECONDS
    seconds = time.monotonic() - start
    if done.returncode == 0:
        return "", seconds
    log = done.stderr.decode(errors="replace").splitlines() or ["no message"]
    return f"exit code {done.returncode}: {log[0]}", seconds


def outcome(run_c, mode, file, options, seed):
    """How a run ends; nothing if it takes too long."""
    try:
        done = subprocess.run(
            [run_c, *mode.split(), *options, "--inputs-by-place", "--seed",
             seed, str(file)], capture_output=True, timeout=RUN_SECONDS)
    except subprocess.TimeoutExpired:
        return None
    log = done.stderr.decode(errors="replace").splitlines() or [""]
    if "step limit" in log[-1]:
        return None
    return done.returncode, done.stdout, re.sub(r" after \d+ steps", "",
                                                log[-1])


def compare(run_c, file, options):
    """What differs between modes, in one line, and the time it took."""
    start = time.monotonic()
    for seed in SEEDS:
        plain = outcome(run_c, MODES[0], file, options, seed)
        if plain is None:
            break
        for mode in MODES[1:]:
            other = outcome(run_c, mode, file, options, seed)
            if other not in (None, plain):
                return (f"{mode} with seed {seed}: {other[2]}, not "
                        f"{plain[2]}", time.monotonic() - start)
    return "", time.monotonic() - start


def copy_headers(source, target):
    """What `make links` of OpenSSL would put into include/openssl."""
    folder = target / "openssl"
    folder.mkdir(parents=True)
    for pattern in ("*.h", "crypto/*.h", "crypto/*/*.h", "ssl/*.h",
                    "rsaref/*.h"):
        for header in sorted(source.glob(pattern)):
            shutil.copy(header, folder / header.name)
    if not (folder / "opensslconf.h").exists():
        shutil.copy(source / "crypto/opensslconf.h.in",
                    folder / "opensslconf.h")


def jobs(arguments, scratch):
    benchmarks = pathlib.Path(arguments[0])
    for name in FOLDERS:
        folder = benchmarks / name
        if not folder.is_dir():
            raise SystemExit(f"there is no folder {folder}")
        for file in sorted([*folder.glob("*.c"), *folder.glob("*.i")]):
            yield name, file, data_model(file)
    if len(arguments) > 1:
        source = pathlib.Path(arguments[1])
        copy_headers(source, scratch)
        options = [f"-I{scratch}", f"-I{scratch / 'openssl'}",
                   f"-I{source / 'ssl'}", f"-I{source / 'crypto'}",
                   f"-I{source}"]
        for name in OPENSSL_FILES:
            for model in ([], ["-m32"]):
                yield "openssl", source / name, model + options


def main():
    arguments = [word for word in sys.argv[1:] if word != "--run"]
    work = lower if len(arguments) == len(sys.argv) - 1 else compare
    run_c = arguments[0]
    counts, good, slowest, failures = {}, {}, (0, ""), []
    with tempfile.TemporaryDirectory(prefix="agon-bench-") as scratch, \
            concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        started = [(name, file, pool.submit(work, run_c, file, options))
                   for name, file, options in jobs(arguments[1:],
                                                   pathlib.Path(scratch))]
        for name, file, job in started:
            problem, seconds = job.result()
            counts[name] = counts.get(name, 0) + 1
            good[name] = good.get(name, 0) + (not problem)
            slowest = max(slowest, (seconds, str(file)))
            if problem:
                failures.append(f"{file}: {problem}")
    for failure in failures:
        print(failure)
    for name, count in counts.items():
        print(f"{name}: {good[name]} of {count}")
    print(f"{sum(good.values())} of {sum(counts.values())} are good; slowest: "
          f"{slowest[0]:.1f} s for {slowest[1]}")
    return 1 if failures or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
