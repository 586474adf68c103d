#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs random programs that mistreat memory both compiled and interpreted.

    memory_test.py RUN_C COUNT FIRST_SEED [FOLDER_FOR_FAILURES]

csmith uses each object with the type it was declared with. These programs look
at structs as bytes, walk over them in all ways, copy ranges that cut through
fields, reach structs from pointers to their fields, keep pointers in memory,
and pass all that through functions, also through pointers to them. Structs are
packed, so every byte has a defined value. All modes must print the checksums
of the compiled program.
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile

from corpus_test import MODES

COMPILER = ["gcc", "-O0", "-w", "-fwrapv", "-fno-strict-aliasing"]
SECONDS = 60
SCALARS = {"signed char": 1, "unsigned char": 1, "short": 2,
           "unsigned short": 2, "int": 4, "unsigned": 4, "long long": 8}

HEAD = """#include <stdlib.h>
#include <string.h>
int printf(const char *, ...);
typedef unsigned char byte;
static unsigned checksum(const void *p, int n) {
  const byte *c = p;
  unsigned h = n;
  while (n--) h = h * 31 + *c++;
  return h;
}
static void stir(void *p, int n, int k) {
  for (byte *c = p, *e = c + n; c < e; ++c) *c = *c * 5 + k++;
}
static void stir_back(void *p, int n, int k) {
  byte *c = (byte *)p + n;
  while (c != p) *--c ^= k;
}
static void stir_index(byte p[], int n, int k) {
  for (int i = 0; i < n; i += 2) p[i] += k;
}
static void (*const stirs[])(void *, int, int) = {
    stir, stir_back, (void (*)(void *, int, int))stir_index};
"""


class Scalar:
    def __init__(self, name):
        self.name, self.size = name, SCALARS[name]

    def declare(self, name):
        return f"{self.name} {name}"

    def parts(self):
        return []


class Array:
    def __init__(self, element, count):
        self.element, self.count = element, count
        self.size = element.size * count

    def declare(self, name):
        return self.element.declare(f"{name}[{self.count}]")

    def parts(self):
        return [(f"[{i}]", i * self.element.size, self.element)
                for i in range(self.count)]


class Record:
    def __init__(self, name, fields, is_union):
        self.name, self.fields, self.is_union = name, fields, is_union
        sizes = [kind.size for _, kind in fields]
        self.size = max(sizes) if is_union else sum(sizes)

    def declare(self, name):
        return f"{self.name} {name}"

    def define(self):
        fields = "".join(f"  {kind.declare(name)};\n"
                         for name, kind in self.fields)
        return f"{self.name} {{\n{fields}}} __attribute__((packed));\n"

    def parts(self):
        result, offset = [], 0
        for name, kind in self.fields:
            result.append((f".{name}", offset, kind))
            offset += 0 if self.is_union else kind.size
        return result


class Program:
    """A random program, as text."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.records = []
        self.objects = []   # (expression, type) of what exists all the time.
        self.pointers = []  # (name, type) of pointers, always valid.

    def scalar(self):
        return Scalar(self.random.choice(list(SCALARS)))

    def type(self, deep=True):
        r = self.random
        kind = self.scalar()
        if deep and self.records and r.random() < 0.4:
            kind = r.choice(self.records)
        if r.random() < 0.4:
            kind = Array(kind, r.randint(1, 4))
        return kind

    def make_records(self):
        for i in range(self.random.randint(2, 5)):
            is_union = self.random.random() < 0.25
            fields = [(f"f{j}", self.type())
                      for j in range(self.random.randint(1, 4))]
            tag = "union" if is_union else "struct"
            self.records.append(Record(f"{tag} s{i}", fields, is_union))

    def place(self, wanted=None):
        """A random lvalue (text, type), of a type if one is given."""
        for _ in range(50):
            if self.pointers and self.random.random() < 0.5:
                name, kind = self.random.choice(self.pointers)
                text = f"(*{name})"
            else:
                text, kind = self.random.choice(self.objects)
            while kind.parts() and self.random.random() < 0.75:
                if wanted and kind.declare("") == wanted.declare(""):
                    break
                part, _, kind = self.random.choice(kind.parts())
                text += part
            if not wanted or kind.declare("") == wanted.declare(""):
                return text, kind
        return None

    def scalar_place(self):
        text, kind = self.place()
        while kind.parts():
            part, _, kind = self.random.choice(kind.parts())
            text += part
        return text, kind

    def number(self):
        return str(self.random.choice([0, 1, -1, 7, 100, 255, -300, 70000]))

    def assignment(self):
        target, _ = self.scalar_place()
        source, _ = self.scalar_place()
        operator = self.random.choice(["=", "=", "+=", "^=", "-=", "|="])
        return f"{target} {operator} {source} * 3 + {self.number()};"

    def copy(self):
        source, kind = self.place()
        target = self.place(kind)
        if target and isinstance(kind, Record):
            return f"{{ {kind.declare('t')} = {source}; {target[0]} = t; }}"
        return self.range_copy()

    def range_of(self, length=None):
        """Bytes inside an object: their address and how many."""
        text, kind = self.place()
        if length is None:
            length = self.random.randint(1, kind.size)
        if length > kind.size:
            return None
        offset = self.random.randint(0, kind.size - length)
        return f"(byte *)&{text} + {offset}", length

    def range_copy(self):
        source, length = self.range_of()
        target = self.range_of(length)
        if target is None:
            return self.assignment()
        return f"memmove({target[0]}, {source}, {length});"

    def range_set(self):
        target, length = self.range_of()
        return f"memset({target}, {self.number()}, {length});"

    def walk(self):
        target, length = self.range_of()
        if self.random.random() < 0.5:
            text, kind = self.place()
            target, length = f"&{text}", kind.size
        function = self.random.choice(
            ["stir", "stir_back", "stirs[0]", "stirs[1]", "stirs[2]"])
        return f"{function}({target}, {length}, {self.number()});"

    def pun(self):
        kind = self.scalar()
        target = self.range_of(kind.size)
        if target is None:
            return self.assignment()
        operator = self.random.choice(["=", "+=", "^="])
        return (f"*({kind.name} *)({target[0]}) {operator} "
                f"{self.number()};")

    def point(self):
        name, kind = self.random.choice(self.pointers)
        found = self.place(kind)
        if not found or found[0].startswith("v"):  # It ends with the call.
            return self.assignment()
        return f"{name} = &{found[0]};"

    def container(self):
        """Reaches a struct from the address of a field of it."""
        text, kind = self.place()
        if not isinstance(kind, Record) or text.startswith("v"):
            return self.walk()
        part, offset, _ = self.random.choice(kind.parts())
        name = self.random.choice([n for n, k in self.pointers
                                   if k is kind] or [""])
        if not name:
            return self.assignment()
        return (f"{{ byte *c = (byte *)&{text}{part}; "
                f"{name} = (void *)(c - {offset}); }}")

    def statement(self):
        return self.random.choice([
            self.assignment, self.assignment, self.copy, self.range_copy,
            self.range_set, self.walk, self.walk, self.pun, self.point,
            self.point, self.container])()

    def text(self):
        r = self.random
        self.make_records()
        lines = [HEAD] + [record.define() for record in self.records]
        for i in range(r.randint(3, 6)):
            kind = r.choice(self.records) if r.random() < 0.7 else self.type()
            self.objects.append((f"g{i}", kind))
            start = f" = {{{r.randint(1, 99)}}}" if kind.parts() else ""
            lines.append(f"static {kind.declare(f'g{i}')}{start};")
        for i, record in enumerate(self.records):
            lines.append(f"static {record.declare(f'd{i}')};")
            lines.append(f"static {record.name} *p{i} = &d{i}, *h{i};")
            self.objects.append((f"d{i}", record))
            self.pointers.append((f"p{i}", record))
        dump = [f'  printf("{text} %u\\n", checksum(&{text}, {kind.size}));'
                for text, kind in self.objects]
        lines.append("static void dump(void) {\n" + "\n".join(dump) + "\n}")
        starts = []
        for i, record in enumerate(self.records):
            starts.append(f"  h{i} = calloc(2, sizeof *h{i});")
            self.objects.append((f"h{i}[{r.randint(0, 1)}]", record))
        functions = []
        for i in range(r.randint(1, 4)):
            record = r.choice(self.records)
            self.pointers.append(("p", record))
            self.objects.append(("v", record))
            body = "\n".join(f"  {self.statement()}"
                             for _ in range(r.randint(2, 8)))
            self.pointers.pop()
            self.objects.pop()
            lines.append(f"static {record.name} work{i}({record.name} *p, "
                         f"{record.name} v) {{\n{body}\n  return v;\n}}")
            functions.append((f"work{i}", record))
        body = []
        for _ in range(r.randint(20, 60)):
            name, record = r.choice(functions)
            one, two = self.place(record), self.place(record)
            if r.random() < 0.15 and one and two:
                body.append(f"  {{ {record.declare('t')} = {name}(&{one[0]}, "
                            f"{two[0]}); {two[0]} = t; }}")
            elif r.random() < 0.1:
                body.append(f"  for (int i = 0; i < 3; ++i) {{ "
                            f"{self.statement()} }}")
            else:
                body.append("  " + self.statement())
            if r.random() < 0.1:
                body.append("  dump();")
        ends = [f'  printf("%u\\n", checksum(h{i}, 2 * sizeof *h{i}));'
                for i in range(len(self.records))]
        return "\n".join(lines + ["int main(void) {"] + starts + body
                         + ["  dump();"] + ends + ["  return 0;", "}", ""])


def check(run_c, seed, text, folder):
    """What was wrong with the program of a seed."""
    program = folder / "program.c"
    program.write_text(text)
    flags = ["-m32"] if seed % 4 == 3 else []
    subprocess.run([*COMPILER, *flags, str(program), "-o",
                    str(folder / "program")], check=True, timeout=SECONDS)
    expected = subprocess.run([str(folder / "program")], capture_output=True,
                              timeout=SECONDS)
    problems = []
    for mode in MODES:
        done = subprocess.run([run_c, *mode.split(), *flags, str(program)],
                              capture_output=True, timeout=SECONDS)
        if (done.returncode, done.stdout) != (0, expected.stdout):
            problems.append(f"seed {seed} {' '.join([*flags, mode])}: "
                            f"{done.stderr.decode().strip()}")
    return problems


def check_all(text_of, arguments):
    """Checks the programs of some seeds; the exit code."""
    run_c, count, first = arguments[0], int(arguments[1]), int(arguments[2])
    count = max(1, int(count * float(os.environ.get("AGON_TEST_SCALE", "1"))))
    failed = 0
    with tempfile.TemporaryDirectory(prefix="agon-memory-") as scratch:
        folder = pathlib.Path(scratch)
        for seed in range(first, first + count):
            problems = check(run_c, seed, text_of(seed), folder)
            failed += bool(problems)
            for problem in problems:
                print(problem, flush=True)
            if problems and len(arguments) > 3:
                kept = pathlib.Path(arguments[3])
                kept.mkdir(parents=True, exist_ok=True)
                (kept / f"{seed}.c").write_text(
                    (folder / "program.c").read_text())
    print(f"{count} programs in {len(MODES)} modes, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(check_all(lambda seed: Program(seed).text(), sys.argv[1:]))
