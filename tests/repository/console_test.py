#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the `console` blocks of documents and compares what they show.

A line that starts with `$ ` is a command, the lines below it are its output,
stderr included. A line `...` stands for any lines. The commands of a block
share a shell, in an empty directory that has the examples in it.

    console_test.py ROOT DIRECTORY_OF_AGON DOCUMENT...
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

MARK = "=== end of output ==="


# A busy machine may take ten seconds and more for what is quick elsewhere.
PROGRESS = re.compile(r"^agon: .*; \d+ MB, [0-9.]+(?: of [0-9.]+)? s\n", re.M)


def blocks(text):
    """(line number, [(command, expected lines)]) of each console block."""
    for match in re.finditer(r"^```console\n(.*?)^```", text, re.M | re.S):
        steps = []
        for line in match[1].splitlines():
            if line.startswith("$ "):
                steps.append((line[2:], []))
            elif not steps:
                raise SystemExit(f"a block starts without '$ ': {line}")
            else:
                steps[-1][1].append(line)
        yield text.count("\n", 0, match.start()) + 1, steps


def run(steps, root, path):
    script = "".join(
        f"{command}\n__status=$?; printf '%s\\n' '{MARK}'; (exit $__status)\n"
        for command, _ in steps)
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "examples").symlink_to(root / "examples")
        done = subprocess.run(
            ["bash"], input="exec 2>&1\n" + script, cwd=folder, text=True,
            stdout=subprocess.PIPE, timeout=120,
            env={**os.environ, "PATH": f"{path}:{os.environ['PATH']}"})
    shown = PROGRESS.sub("", done.stdout)
    return shown.split(MARK + "\n")[:-1]


def matches(expected, actual):
    pattern = "".join(
        r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n"
        for line in expected)
    return re.fullmatch(pattern, actual) is not None


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    path = pathlib.Path(sys.argv[2]).resolve()
    failures = commands = 0
    for name in sys.argv[3:]:
        found = 0
        for line, steps in blocks((root / name).read_text()):
            outputs = run(steps, root, path)
            for (command, expected), actual in zip(steps, outputs):
                commands += 1
                found += 1
                if matches(expected, actual):
                    continue
                failures += 1
                print(f"{name}:{line}: $ {command}\n--- shown\n"
                      + "".join(text + "\n" for text in expected)
                      + f"--- real\n{actual}---")
            if len(outputs) != len(steps):
                failures += 1
                print(f"{name}:{line}: the shell stopped early")
        if found == 0:
            failures += 1
            print(f"{name} has no console block")
    print(f"{commands} commands, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
