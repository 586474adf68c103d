#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the regression cases that lie in files with their expectations.

A case is a line `RUN: command` in a `.lts` file (as a comment) or in a `.test`
file; the lines below it, up to the next RUN, say what must come out:

    EXPECT!: violated   the truth, which must never change
    EXPECT: unknown     what we can do today
    EXIT: 2             the exit code, if it is no verdict
    OUTPUT: regex       stdout and stderr together match
    NOT: regex          they do not match
    JSON: a.0.b == 1    stdout is JSON, and has this value there
    MEMORY: 500         the address space in MB (not under sanitizers)
    TIMEOUT: 10         seconds; 60 if not given

Without EXPECT or EXIT the exit code must be 0. In a command, %s is the file
itself (for NAME.test: NAME.aut or NAME.lts if there is one), %t a directory
for its output. The command runs in the folder of the file, by bash.

    run.py BIN_DIRECTORY FILE_OR_FOLDER...
"""

import json
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile

VERDICTS = {"holds": 0, "violated": 1, "error": 2, "unknown": 3}
DIRECTIVE = re.compile(
    r"^\s*(?://\s*|#\s*)?"
    r"(RUN|EXPECT!?|EXIT|OUTPUT|NOT|JSON|MEMORY|TIMEOUT): (.*?)\s*$")
SANITIZED = os.environ.get("AGON_SANITIZED") == "1"


def cases(path):
    """The (line, command, [(directive, argument)]) of a file."""
    found = []
    text = path.read_text(errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        match = DIRECTIVE.match(line)
        if not match:
            continue
        if match[1] == "RUN":
            found.append((number, match[2], []))
        elif found:
            found[-1][2].append((match[1], match[2]))
        else:
            raise SystemExit(f"{path}:{number}: {match[1]} before any RUN")
    return found


def subject(path):
    if path.suffix == ".test":
        for suffix in (".aut", ".lts"):
            if path.with_suffix(suffix).exists():
                return path.with_suffix(suffix)
    return path


def json_value(document, route):
    for step in route.split(".") if route else []:
        document = document[int(step) if isinstance(document, list) else step]
    return document


def failures(wanted, code, stdout, output):
    exits = [a for d, a in wanted if d.startswith("EX")] or ["0"]
    for text in exits:
        expected = VERDICTS.get(text)
        if expected is None:
            expected = int(text)
        if code != expected:
            yield f"exit code {code} instead of {expected}"
    for directive, argument in wanted:
        if directive == "OUTPUT" and not re.search(argument, output, re.M):
            yield f"no output matches {argument}"
        if directive == "NOT" and re.search(argument, output, re.M):
            yield f"output matches {argument}"
        if directive == "JSON":
            route, _, value = argument.partition(" == ")
            try:
                actual = json_value(json.loads(stdout), route.strip())
                if actual != json.loads(value):
                    yield f"JSON {route} is {json.dumps(actual)}"
            except (ValueError, KeyError, IndexError, TypeError) as error:
                yield f"JSON {route}: {error!r}"


def run(path, command, wanted, bin_folder):
    settings = dict(wanted)
    timeout = float(settings.get("TIMEOUT", 60)) * (4 if SANITIZED else 1)

    def limit():
        if "MEMORY" in settings and not SANITIZED:
            size = int(settings["MEMORY"]) << 20
            resource.setrlimit(resource.RLIMIT_AS, (size, size))

    with tempfile.TemporaryDirectory() as folder:
        command = command.replace("%s", shlex.quote(subject(path).name))
        command = command.replace("%t", shlex.quote(folder))
        try:
            done = subprocess.run(
                ["bash", "-c", command], cwd=path.parent, timeout=timeout,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, preexec_fn=limit,
                env={**os.environ,
                     "PATH": f"{bin_folder}:{os.environ['PATH']}"})
        except subprocess.TimeoutExpired:
            return [f"not done after {timeout:g} s"], ""
    stdout = done.stdout.decode(errors="replace")
    output = stdout + done.stderr.decode(errors="replace")
    return list(failures(wanted, done.returncode, stdout, output)), output


def main():
    bin_folder = pathlib.Path(sys.argv[1]).resolve()
    files = []
    for name in sys.argv[2:]:
        path = pathlib.Path(name)
        files += sorted(path.rglob("*")) if path.is_dir() else [path]
    count = bad = 0
    for path in files:
        if path.suffix not in (".lts", ".test"):
            continue
        for line, command, wanted in cases(path):
            count += 1
            wrong, output = run(path, command, wanted, bin_folder)
            if wrong:
                bad += 1
                print(f"{path}:{line}: {command}")
                for what in wrong:
                    print(f"  {what}")
                print("".join(f"  | {text}\n"
                              for text in output.splitlines()[:30]), end="")
    print(f"{count} cases, {bad} failures")
    return 1 if bad or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
