# SPDX-License-Identifier: Apache-2.0
"""What the tests in this folder share: running agon, and failing."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
SCALE = float(os.environ.get("AGON_TEST_SCALE", "1"))


class Run:
    """One finished run of agon."""

    def __init__(self, done):
        self.code = done.returncode
        self.out = done.stdout.decode(errors="surrogateescape")
        self.err = done.stderr.decode(errors="surrogateescape")

    def __repr__(self):
        return f"exit code {self.code}\n{self.out}\n{self.err}"


def agon(binary, *words, cwd=None, env=None, timeout=120):
    return Run(subprocess.run(
        [str(binary), *map(str, words)], cwd=cwd, timeout=timeout,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env={**os.environ, **(env or {})}))


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def without_times(document):
    """The same JSON, but for what depends on the clock."""
    if isinstance(document, dict):
        return {key: without_times(value) for key, value in document.items()
                if key not in ("time_s", "statistics", "time")}
    if isinstance(document, list):
        return [without_times(each) for each in document]
    return document


def load(path):
    return json.loads(pathlib.Path(path).read_text())


def main(tests):
    """Runs functions, each with the binary, and says which failed."""
    binary = pathlib.Path(sys.argv[1]).resolve()
    bad = 0
    for test in tests:
        try:
            test(binary)
        except Exception as error:  # pylint: disable=broad-except
            bad += 1
            print(f"{test.__name__}: {type(error).__name__}: {error}")
    print(f"{len(tests)} tests, {bad} failures")
    return 1 if bad or not tests else 0
