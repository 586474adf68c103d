#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the real #includes of src/ with the folder table of
docs/architecture.md and with the DEPENDS of src/CMakeLists.txt. The checker of
certificates must stay small."""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
SYSTEM_INCLUDE = re.compile(r"^\s*#\s*include\s+<([^>]+)>", re.MULTILINE)
# Libraries that only some files may see: prefix of the header, and the
# beginnings of the names of those that may.
CONFINED = {
    "CLI/": {"src/cli/arguments.cpp", "src/cli/c_arguments.cpp",
             "src/cli/lts_arguments.cpp", "src/cli/open_arguments.cpp",
             "src/cli/help.cpp",
             "src/cli/manual.cpp", "src/cli/completion.cpp",
             "src/cli/option_kinds.h", "src/certify/main.cpp"},
    "nlohmann/": {"src/report/", "src/evidence/certificate.cpp"},
    "openssl/": {"src/evidence/certificate.cpp"},
    "zlib": {"src/evidence/certificate.cpp"},
    "z3": {"src/smt/z3_terms.h"},
}
MOST_CERTIFY = 1500


def documented():
    """folder -> what it may include, from the table."""
    text = (ROOT / "docs/architecture.md").read_text()
    table = {}
    for line in text.splitlines():
        row = re.match(r"\|\s*`(\w+)`\s*\|.*\|\s*([^|]*?)\s*\|\s*$", line)
        if row:
            table[row[1]] = set(re.findall(r"\w+", row[2].replace("–", "")))
    return table


def built():
    """folder -> DEPENDS, from CMake."""
    text = (ROOT / "src/CMakeLists.txt").read_text()
    table = {}
    for call in re.findall(r"agon_folder\(([^)]*)\)", text):
        words = call.split()
        depends, inside = set(), False
        for word in words[1:]:
            if word in ("DEPENDS", "LIBRARIES"):
                inside = word == "DEPENDS"
            elif inside:
                depends.add(word)
        table[words[0]] = depends
    return table


def check_file(path, folder, allowed):
    name = path.relative_to(ROOT).as_posix()
    text = path.read_text()
    for header in INCLUDE.findall(text):
        if not (ROOT / "src" / header).is_file():
            yield f"{name}: there is no src/{header}"
        other = header.split("/")[0]
        if other != folder and other not in allowed:
            yield f"{name}: {folder} may not include {header}"
    for header in SYSTEM_INCLUDE.findall(text):
        for prefix, files in CONFINED.items():
            if (header.startswith(prefix)
                    and not name.startswith(tuple(files))):
                yield f"{name}: only {', '.join(files)} may see <{header}>"


def check_size():
    """Who wants to believe the checker has to be able to read it."""
    lines = sum(len(p.read_text().splitlines())
                for p in (ROOT / "src" / "certify").iterdir())
    if lines >= MOST_CERTIFY:
        yield f"src/certify has {lines} lines, {MOST_CERTIFY} are too many"


def main():
    table, cmake = documented(), built()
    folders = {p.name for p in (ROOT / "src").iterdir() if p.is_dir()}
    errors = []
    for what, known in (("docs/architecture.md", set(table)),
                        ("src/CMakeLists.txt", set(cmake))):
        for folder in folders - known:
            errors.append(f"src/{folder} is missing in {what}")
        for folder in known - folders:
            errors.append(f"{what} names src/{folder}, which does not exist")
    for folder in folders & set(table) & set(cmake):
        if table[folder] != cmake[folder]:
            errors.append(
                f"{folder}: the document says {sorted(table[folder])}, "
                f"CMake says {sorted(cmake[folder])}")
    files = sorted(p for p in (ROOT / "src").rglob("*")
                   if p.suffix in (".h", ".cpp"))
    for path in files:
        folder = path.relative_to(ROOT / "src").parts[0]
        errors.extend(check_file(path, folder, table.get(folder, set())))
    errors.extend(check_size())
    for error in errors:
        print(error)
    print(f"{len(files)} files in {len(folders)} folders, "
          f"{len(errors)} errors")
    return 1 if errors or not files else 0


if __name__ == "__main__":
    sys.exit(main())
