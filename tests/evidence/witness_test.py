#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks SV-COMP witnesses by what the format says, and by running programs.

    witness_test.py AGON FOLDER

Each C file of the folder says in its second line which property it has or has
not. A violation witness is taken apart, and the program, compiled with the
values of its waypoints as inputs, has to reach the error. The invariants of a
correctness witness are put into the source as assertions, and the program is run
with random inputs. Nothing is shared with Agon, which then has to find that these
assertions hold, too.
"""

import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

FLAGS = ["-w", "-fwrapv", "-O0"]
TYPES = {"int": "int", "uchar": "unsigned char", "bool": "_Bool",
         "long": "long"}
KEYS = {"format_version", "uuid", "creation_time", "producer", "task"}
RUNS = 60
LEAST_DECISIONS = 20  # Of all violations together.


def require(condition, text):
    if not condition:
        raise AssertionError(text)


def check_metadata(entry, file, specification):
    meta = entry["metadata"]
    require(set(meta) == KEYS, f"keys {set(meta)}")
    require(meta["format_version"] == "2.0", "version")
    require(re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
                         meta["uuid"]), "uuid")
    require(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ",
                         meta["creation_time"]), "time")
    task = meta["task"]
    require(task["input_files"] == [file.name], "files")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    require(task["input_file_hashes"] == {file.name: digest}, "hash")
    require(task["specification"] == specification, "specification")
    require(task["data_model"] == "LP64" and task["language"] == "C", "task")


def character(lines, location):
    """The rest of the line at a location."""
    return lines[location["line"] - 1][location["column"] - 1:]


def check_location(lines, location, file):
    require(location["file_name"] == file.name, "file of a location")
    require(1 <= location["line"] <= len(lines), "line")
    require(re.search(rf"\b{location['function']}\b", "\n".join(lines)),
            "function of a location")


def decision(point, lines):
    """A branching as its place and what is decided there."""
    require(re.match(r"(if|while|for)\b", character(lines, point["location"])),
            "a branching is at a keyword")
    require(list(point["constraint"]) == ["value"], "constraint")
    value = point["constraint"]["value"]
    require(value in ("true", "false"), f"decided {value}")
    return (point["location"]["line"], point["location"]["column"],
            value == "true")


def inputs_of(entry, lines, file):
    """The values of the waypoints, what is decided, and where the error is."""
    values, decided = [], []
    segments = entry["content"]
    for number, item in enumerate(segments):
        points = [w["waypoint"] for w in item["segment"]]
        require(len(points) == 1 and points[0]["action"] == "follow",
                "one follow per segment")
        point = points[0]
        check_location(lines, point["location"], file)
        if number + 1 == len(segments):
            require(point["type"] == "target", "the last one is the target")
            require("constraint" not in point, "constraint of a target")
            return values, decided, point["location"]
        if point["type"] == "branching":
            decided.append(decision(point, lines))
            continue
        require(point["type"] == "function_return", point["type"])
        require(character(lines, point["location"]).startswith(")"),
                "a function_return is at the parenthesis")
        constraint = point["constraint"]
        require(constraint["format"] == "acsl_expression", "format")
        match = re.fullmatch(r"\\result == (-?\d+(U?LL)?|"
                             r"\(-9223372036854775807LL - 1\))",
                             constraint["value"])
        require(match, constraint["value"])
        values.append(match[1])
    raise AssertionError("no target")


def driver(values, is_random):
    """A C file that feeds values, or random ones."""
    text = ["extern void _exit(int); extern int atoi(const char *);",
            "extern char *getenv(const char *);",
            f"static const long long v[] = {{{', '.join(values + ['0'])}}};",
            "static unsigned at; static unsigned long long s;",
            "static long long next(void) {"]
    if is_random:
        text += ["  if (!s) s = atoi(getenv(\"SEED\")) * 2654435769ULL + 1;",
                 "  if (++at > 200) _exit(0);",
                 "  s = s * 6364136223846793005ULL + 1442695040888963407ULL;",
                 "  return (long long)((s >> 40) % (s >> 63 ? 300 : 13)) - 4; }"]
    else:
        text += [f"  if (at >= {len(values)}) _exit(9);",
                 "  return v[at++]; }"]
    for name, kind in TYPES.items():
        text.append(f"{kind} __VERIFIER_nondet_{name}(void) "
                    "{ return next(); }")
    text.append("extern int printf(const char *, ...);")
    text.append("extern int fflush(void *);")
    text.append("int agon_decided(int line, int column, int value) {"
                " printf(\"%d %d %d\\n\", line, column, value); fflush(0);"
                " return value; }")
    text.append("void reach_error(void) { _exit(77); }")
    text.append("void agon_violated(void) { _exit(78); }")
    text.append("extern void (*signal(int, void (*)(int)))(int);")
    text.append("static void trap(int n) { _exit(77); }")
    text.append("__attribute__((constructor)) static void set(void) "
                "{ signal(4, trap); }")
    return "\n".join(text) + "\n"


def run(folder, source, feed, flags, seed=0):
    (folder / "p.c").write_text(source)
    (folder / "d.c").write_text(feed)
    subprocess.run(["gcc", *flags, "-Wl,-z,muldefs", "d.c", "p.c", "-o", "p"],
                   cwd=folder, check=True)
    return lambda s=seed: subprocess.run(
        ["./p"], cwd=folder, timeout=10,
        env={**os.environ, "SEED": str(s)}).returncode


def observed(lines, decided):
    """The source, where the conditions of some statements are printed."""
    lines = list(lines)
    for line, column in sorted({d[:2] for d in decided}, reverse=True):
        text = lines[line - 1]
        start = end = text.index("(", column - 1) + 1
        depth = 1
        while depth > 0:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        end -= 1
        if text[column - 1:].startswith("for"):
            start = text.index(";", start) + 1
            end = text.index(";", start)
        lines[line - 1] = (f"{text[:start]}agon_decided({line}, {column}, "
                           f"!!({text[start:end]})){text[end:]}")
    return "extern int agon_decided(int, int, int);\n" + "\n".join(lines)


def check_decisions(file, folder, values, decided, flags):
    """Each time that such a condition is evaluated is in the witness."""
    lines = file.read_text().split("\n")
    run(folder, observed(lines, decided), driver(values, False), flags)
    done = subprocess.run(["./p"], cwd=folder, timeout=10, text=True,
                          capture_output=True)
    seen = [tuple(map(int, each.split())) for each in done.stdout.splitlines()]
    require(seen == [(l, c, int(v)) for l, c, v in decided],
            f"decided {decided}, and not {seen}")


def check_violation(entry, file, folder, is_overflow):
    lines = file.read_text().split("\n")
    values, decided, target = inputs_of(entry, lines, file)
    if not is_overflow:
        require(character(lines, target).startswith("reach_error"),
                "the target is the call")
    flags = [*FLAGS]
    if is_overflow:
        flags = ["-w", "-O0", "-fsanitize=signed-integer-overflow",
                 "-fsanitize-undefined-trap-on-error"]
    code = run(folder, file.read_text(), driver(values, False), flags)()
    require(code == 77, f"the values {values} do not lead to the error: {code}")
    check_decisions(file, folder, values, decided, flags)
    return len(decided)


def check_invariants(entry, file, folder, agon):
    lines = file.read_text().split("\n")
    loops = sum(len(re.findall(r"\b(while|for) \(", line)) for line in lines)
    said = 0
    for item in entry["content"]:
        invariant = item["invariant"]
        require(invariant["type"] == "loop_invariant", "type")
        require(invariant["format"] == "c_expression", "format")
        location = invariant["location"]
        check_location(lines, location, file)
        rest = character(lines, location)
        match = re.match(r"(while|for) \(", rest)
        require(match, f"no loop at {location}")
        said += invariant["value"] != "1"
        test = f"(({invariant['value']}) || (agon_violated(), 0)) && "
        start = location["column"] - 1 + match.end()
        line = lines[location["line"] - 1]
        if match[1] == "for":
            start = line.index(";", start) + 1
        lines[location["line"] - 1] = line[:start] + test + line[start:]
    text = "extern void agon_violated(void);\n" + "\n".join(lines)
    program = run(folder, text, driver([], True), FLAGS)
    codes = {program(seed) for seed in range(1, RUNS)}
    require(78 not in codes and 77 not in codes, f"exit codes {codes}")
    (folder / "asserted.c").write_text(
        text.replace("agon_violated", "reach_error"))
    done = subprocess.run([agon, "reach", "asserted.c", "--64"], cwd=folder,
                          capture_output=True, text=True, timeout=120)
    require(done.returncode == 0, f"not proved again: {done.stdout}")
    return loops, said


def main(agon, folder):
    agon = str(pathlib.Path(agon).resolve())
    total = said = decisions = 0
    for file in sorted(pathlib.Path(folder).resolve().glob("*.c")):
        kind, truth = re.match(r"// ([\w-]+): (\w+)",
                               file.read_text().split("\n")[1]).groups()
        property_file = file.parent / f"{kind}.prp"
        with tempfile.TemporaryDirectory(prefix="agon-witness-") as name:
            out = pathlib.Path(name)
            texts = []
            for attempt in ("a.yml", "b.yml"):
                done = subprocess.run(
                    [agon, "reach", file.name, "--property",
                     property_file.name, "--64", "--svcomp", "--witness",
                     str(out / attempt)], cwd=file.parent,
                    capture_output=True, text=True, timeout=120)
                texts.append((out / attempt).read_text())
            last = done.stdout.strip().split("\n")[-1]
            wanted = "true" if truth == "true" else f"false({kind})"
            require(last == f"VERDICT: {wanted}", f"{file.name}: {last}")
            require(texts[0] == texts[1], f"{file.name}: another witness")
            entries = yaml.safe_load(texts[0])
            require(len(entries) == 1, "one entry")
            check_metadata(entries[0], file,
                           property_file.read_text().strip())
            require(entries[0]["entry_type"] == (
                "invariant_set" if truth == "true" else "violation_sequence"),
                "type of entry")
            if truth == "true":
                loops, some = check_invariants(entries[0], file, out, agon)
                require(len(entries[0]["content"]) <= loops, "loops")
                total += loops
                said += some
            else:
                decisions += check_violation(entries[0], file, out,
                                             kind == "no-overflow")
        print(f"{file.name}: {last}")
    print(f"{said} of {total} loops have an invariant; "
          f"{decisions} decisions are told")
    require(decisions >= LEAST_DECISIONS, "few decisions are told")


if __name__ == "__main__":
    main(*sys.argv[1:])
