#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs each C program of the corpus both compiled and interpreted.

    corpus_test.py RUN_C CORPUS [NAME...]

What both print and how both end must be the same. A program is a file
(CORPUS/*.c, CORPUS/*.i, CORPUS/regress/*.c) or a folder of files that are
linked (CORPUS/link/*). Its first lines may say

    // ALSO: -m32          run it with 32-bit pointers too
    // FLAGS: -DN=3        for both compilers
    // SEEDS: 1 2 3        run it once for each, as seed of its inputs
    // UNUSED              some inputs do not matter, and a slice lacks them:
                           compare modes only with each other, and let the
                           place of an input in the source decide its value
    // ENDS: exit 3        how it ends; `return` if nothing is said. One of
                           return, exit N, abort, assume
"""

import collections
import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

# What the interpreter runs: the program as lowered, and what else must not
# change its behaviour.
MODES = ["", "--inline", "--regions", "--slice",
         "--inline --regions --slice", "--flat"]
if os.environ.get("AGON_SANITIZED") == "1":
    MODES = ["", "--inline --regions --slice"]

COMPILER = ["gcc", "-O0", "-w", "-fwrapv", "-fcommon", "-fno-builtin-printf"]
STUBS = pathlib.Path(__file__).resolve().parent / "stubs.c"
DIRECTIVE = re.compile(
    r"^\s*(?://|/\*)\s*(ALSO|FLAGS|SEEDS|ENDS|UNUSED):? ?(.*?)\s*(?:\*/)?$")
SECONDS = 20  # For one program.
WORKERS = 2

Result = collections.namedtuple("Result", "stdout end")


def directives(files):
    found = {"ALSO": "", "FLAGS": "", "SEEDS": "", "ENDS": "return",
             "UNUSED": None}
    for file in files:
        for line in file.read_text(errors="replace").splitlines()[:12]:
            match = DIRECTIVE.match(line)
            if match:
                found[match[1]] = match[2]
    return found


def run(command, **options):
    return subprocess.run(command, capture_output=True, timeout=SECONDS,
                          **options)


def compile_program(files, flags, target):
    done = run([*COMPILER, *flags, "-o", target, *map(str, files), str(STUBS)])
    if done.returncode != 0:
        raise RuntimeError("gcc: " + done.stderr.decode(errors="replace"))


def run_compiled(program, seed):
    done = run([program], env={**os.environ, "AGON_SEED": seed})
    if done.returncode == -signal.SIGABRT:
        end = "abort"
    elif done.returncode == 200:
        end = "assume"
    else:
        end = f"status {done.returncode}"
    return Result(done.stdout, end)


def run_interpreted(run_c, mode, files, flags, seed):
    done = run([run_c, *mode.split(), *flags, "--seed", seed,
                *map(str, files)])
    log = done.stderr.decode(errors="replace").strip()
    last = log.splitlines()[-1] if log else ""
    stopped = re.match(r"stopped in (\w+)(?: (-?\d+))?", last)
    if done.returncode < 0 or done.returncode == 2 and "after" not in last:
        end = log
    elif last.startswith("returned"):
        end = f"status {done.returncode}"
    elif last.startswith("blocked"):
        end = "assume"
    elif stopped and stopped[1] in ("exit", "_exit", "_Exit"):
        end = f"status {int(stopped[2]) & 255}"
    elif stopped:
        end = "abort"
    else:
        end = last
    return Result(done.stdout, end)


def declared_end(text, end):
    """Whether a program ended as its file says."""
    if text == "return":
        return end.startswith("status")
    if text.startswith("exit"):
        return end == "status " + text.split()[1]
    return end == text


def difference(compiled, interpreted):
    theirs = compiled.stdout.decode(errors="replace").splitlines()
    ours = interpreted.stdout.decode(errors="replace").splitlines()
    lines = []
    for number in range(max(len(theirs), len(ours))):
        one = theirs[number] if number < len(theirs) else "(nothing)"
        two = ours[number] if number < len(ours) else "(nothing)"
        if one != two:
            lines.append(f"    line {number + 1}: compiled    {one}")
            lines.append(f"    line {number + 1}: interpreted {two}")
        if len(lines) >= 10:
            break
    if compiled.end != interpreted.end:
        lines.append(f"    compiled ends with    {compiled.end}")
        lines.append(f"    interpreted ends with {interpreted.end}")
    return "\n".join(lines)


def check(run_c, name, files):
    """The number of runs and the text of all failures of a program."""
    told = directives(files)
    variants = [[]] + [[option] for option in told["ALSO"].split()]
    runs, failures = 0, []
    with tempfile.TemporaryDirectory(prefix="agon-c-") as folder:
        program = os.path.join(folder, "program")
        for variant in variants:
            flags = variant + told["FLAGS"].split()
            label = " ".join([name, *variant])
            try:
                by_place = [] if told["UNUSED"] is None \
                    else ["--inputs-by-place"]
                compile_program(files, flags, program)
                for seed in told["SEEDS"].split() or ["1"]:
                    compiled = run_compiled(program, seed)
                    if by_place:
                        compiled = run_interpreted(run_c, "", files,
                                                   flags + by_place, seed)
                    if not declared_end(told["ENDS"], compiled.end):
                        failures.append(f"{label}: ends with {compiled.end}, "
                                        f"not as it says: {told['ENDS']}")
                    for mode in MODES:
                        runs += 1
                        mine = run_interpreted(run_c, mode, files,
                                               flags + by_place, seed)
                        if mine != compiled:
                            failures.append(
                                f"{label} {mode} (seed {seed}):\n"
                                + difference(compiled, mine))
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                failures.append(f"{label}: {error}")
    return runs, failures


def programs(corpus):
    for pattern in ("*.c", "*.i", "regress/*.c"):
        for file in sorted(corpus.glob(pattern)):
            yield str(file.relative_to(corpus)), [file]
    for folder in sorted(corpus.glob("link/*")):
        files = sorted(folder.glob("*.c"))
        if files:
            yield str(folder.relative_to(corpus)), files


def main():
    run_c, corpus = sys.argv[1], pathlib.Path(sys.argv[2])
    chosen = [(name, files) for name, files in programs(corpus)
              if len(sys.argv) == 3
              or any(part in name for part in sys.argv[3:])]
    total, failed = 0, 0
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        jobs = [pool.submit(check, run_c, *program) for program in chosen]
        for job in jobs:
            runs, failures = job.result()
            total += runs
            failed += bool(failures)
            for failure in failures:
                print(failure)
    print(f"{len(chosen)} programs, {total} runs, {failed} programs failed")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
