#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every source file names its licence, and every header its purpose."""

import pathlib
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
FOLDERS = ("src", "tests", "bench", "cmake", "tools", "examples", ".ci",
           "web/src")
SUFFIXES = (".h", ".cpp", ".py", ".sh", ".cmake", ".js", ".mjs", ".css")
LICENCE = "SPDX-License-Identifier: Apache-2.0"


def sources():
    yield ROOT / "CMakeLists.txt"
    yield ROOT / "Makefile"
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in SUFFIXES or path.name in ("CMakeLists.txt",
                                                        "run"):
                yield path


def main():
    errors, count = [], 0
    for path in sources():
        count += 1
        name = path.relative_to(ROOT)
        lines = path.read_text().splitlines()
        if lines and lines[0].startswith("#!"):
            lines = lines[1:]
        if not lines or LICENCE not in lines[0]:
            errors.append(f"{name}: the first line should be '{LICENCE}'")
        if path.suffix == ".h":
            if len(lines) < 2 or not lines[1].startswith("/// "):
                errors.append(f"{name}: a header opens with its purpose")
            if "#pragma once" not in lines:
                errors.append(f"{name}: #pragma once is missing")
    for error in errors:
        print(error)
    print(f"{count} files, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
