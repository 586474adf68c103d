#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Input that is not C, or not C that is supported, is refused with a place.

    bad_input_test.py RUN_C FOLDER

Each file of the folder, and each folder in it whose files are linked, has a
line with a comment `ERROR: regex` or `ERROR@column: regex`. The message must
be about that line, match, and have the column if one is given; nothing may be
printed on stdout, and the exit code must be 2.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

EXPECTED = re.compile(r"(?://|/\*) ERROR(?:@(\d+))?: (.*?)(?: \*/)?$")
SECONDS = 20


def run(run_c, files):
    return subprocess.run([run_c, *map(str, files)], capture_output=True,
                          text=True, errors="replace", timeout=SECONDS)


def expectation(files):
    for file in files:
        lines = file.read_text(errors="replace").splitlines()
        for number, line in enumerate(lines, 1):
            match = EXPECTED.search(line)
            if match:
                return file, number, match[1], match[2]
    raise SystemExit(f"{files[0]} does not say what to expect")


def shape_of(done):
    """What is wrong with the way in which a program was refused."""
    if done.returncode != 2:
        return (f"exit code {done.returncode}: "
                f"{(done.stderr or done.stdout).strip()[:200]}")
    if done.stdout:
        return f"printed '{done.stdout[:60]}'"
    return ""


def check(run_c, files):
    file, line, column, text = expectation(files)
    done = run(run_c, files)
    problem = shape_of(done)
    if problem:
        return problem
    message = done.stderr.splitlines()[0] if done.stderr else ""
    place = re.match(r"(.*?):(\d+):(\d+): error: (.*)", message)
    if not place:
        return f"no place in '{message}'"
    if pathlib.Path(place[1]).name != file.name or int(place[2]) != line:
        return f"not about line {line}: '{message}'"
    if column and place[3] != column:
        return f"not about column {column}: '{message}'"
    if not re.search(text, place[4]):
        return f"'{message}' does not match '{text}'"
    return ""


def check_without_place(run_c, files, text):
    done = run(run_c, files)
    problem = shape_of(done)
    if not problem and not re.search(text, done.stderr):
        problem = f"'{done.stderr.strip()}' does not match '{text}'"
    return problem


def main():
    run_c, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    cases = [[file] for file in sorted(folder.glob("*.c"))]
    cases += [sorted(path.glob("*.c")) for path in sorted(folder.iterdir())
              if path.is_dir()]
    results = [(files[0].relative_to(folder), check(run_c, files))
               for files in cases]
    with tempfile.TemporaryDirectory(prefix="agon-bad-") as scratch:
        empty = pathlib.Path(scratch) / "empty.c"
        empty.write_text("")
        garbage = pathlib.Path(scratch) / "garbage.c"
        garbage.write_bytes(bytes(range(256)) * 20)
        for files, text in (([folder / "no such file.c"], "no such file"),
                            ([empty, folder / "no such file.c"],
                             "no such file"),
                            ([folder], "cannot read"),
                            ([empty], "main"),
                            ([garbage], r"garbage\.c:\d+:\d+: error")):
            results.append((files[-1].name,
                            check_without_place(run_c, files, text)))
    failed = [(name, problem) for name, problem in results if problem]
    for name, problem in failed:
        print(f"{name}: {problem}")
    print(f"{len(results)} cases, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
