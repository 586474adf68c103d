#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""All C++ sources are formatted as .clang-format says."""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()


def main():
    tool = shutil.which("clang-format-19")
    if tool is None:
        print("clang-format-19 is missing; see tools/packages.txt")
        return 1
    files = sorted(
        str(path.relative_to(ROOT))
        for folder in ("src", "tests", "bench")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".h", ".cpp"))
    done = subprocess.run([tool, "--dry-run", "-Werror", *files], cwd=ROOT)
    print(f"{len(files)} files")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
