#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a C file of about so many lines, with the mixture of a driver or a
protocol stack: structs and tables, loops, switches, pointers, calls.

usage: bench/write_c.py LINES [SEED]
"""

import random
import sys

HEADER = """\
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;

enum state { IDLE, OPENING, OPEN, CLOSING, BROKEN };

struct buffer { u8 *data; u32 length; u32 capacity; struct buffer *next; };
struct device {
  enum state state;
  u32 flags : 5, mode : 3;
  u16 port;
  u64 bytes_in, bytes_out;
  struct buffer *queue;
  int (*handler)(struct device *, int);
  u32 history[16];
  char name[24];
};

extern int read_register(u16 port);
extern void write_register(u16 port, u32 value);
extern void report(const char *text, int value);

static struct device devices[8];
"""


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = HEADER.splitlines()
        self.functions = []

    def choose(self, *options):
        return self.random.choice(options)

    def number(self, limit=256):
        return self.random.randrange(limit)

    def value(self, depth=0):
        """An expression of integer type."""
        if depth > 1 or self.random.random() < 0.45:
            return self.choose(
                "a", "b", "i", "total", "dev->port", "dev->bytes_in",
                "dev->flags", "dev->history[i & 15]", "(int)dev->state",
                str(self.number()), f"0x{self.number(65536):x}u")
        left, right = self.value(depth + 1), self.value(depth + 1)
        operator = self.choose("+", "-", "*", "&", "|", "^", "+", "-")
        if self.random.random() < 0.1:
            return f"({left} >> {self.number(8)})"
        if self.random.random() < 0.08:
            return f"({self.condition(depth + 1)} ? {left} : {right})"
        return f"({left} {operator} {right})"

    def condition(self, depth=0):
        test = self.choose(
            f"{self.value(depth + 1)} {self.choose('<', '>', '==', '!=')} "
            f"{self.value(depth + 1)}",
            "dev->queue != 0", "!dev->flags", f"a & {self.number()}u",
            "dev->state == OPEN")
        if depth < 2 and self.random.random() < 0.3:
            return (f"{test} {self.choose('&&', '||')} "
                    f"{self.condition(depth + 1)}")
        return test

    def assignment(self):
        target = self.choose("a", "b", "total", "dev->bytes_in", "dev->mode",
                             "dev->history[(a + b) & 15]", "dev->bytes_out",
                             "devices[i & 7].port", "local[i & 7]")
        return f"{target} {self.choose('=', '=', '+=', '^=')} {self.value()};"

    def call(self):
        simple = self.choose(
            "write_register(dev->port, total);", "a = read_register(dev->port);",
            f'report("{self.choose("late", "full", "reset")}", a + b);',
            "if (dev->handler) b = dev->handler(dev, a);")
        if self.functions and self.random.random() < 0.5:
            name = self.random.choice(self.functions[-20:])
            return f"b += {name}(dev, {self.value(1)}, local);"
        return simple

    def block(self, depth, indent):
        """Some statements, as lines."""
        pad = "  " * indent
        for _ in range(self.random.randrange(2, 5)):
            kind = self.random.random()
            if depth > 2 or kind < 0.45:
                yield pad + self.assignment()
            elif kind < 0.6:
                yield pad + self.call()
            elif kind < 0.75:
                yield pad + f"if ({self.condition()}) {{"
                yield from self.block(depth + 1, indent + 1)
                if self.random.random() < 0.4:
                    yield pad + "} else {"
                    yield from self.block(depth + 1, indent + 1)
                yield pad + "}"
            elif kind < 0.85:
                yield pad + f"for (i = 0; i < {self.number(32)}; i++) {{"
                yield from self.block(depth + 1, indent + 1)
                yield pad + "}"
            elif kind < 0.92:
                yield from self.walk(pad)
            else:
                yield from self.switch(depth, indent)

    def walk(self, pad):
        yield pad + "for (at = dev->queue; at != 0; at = at->next) {"
        yield pad + "  u8 *byte = at->data;"
        yield pad + "  while (byte < at->data + at->length) total += *byte++;"
        yield pad + "  if (at->length > at->capacity) goto failed;"
        yield pad + "}"

    def switch(self, depth, indent):
        pad = "  " * indent
        yield pad + "switch (dev->state) {"
        for name in ("IDLE", "OPENING", "OPEN"):
            yield pad + f"  case {name}:"
            yield from self.block(depth + 2, indent + 2)
            if self.random.random() < 0.8:
                yield pad + "    break;"
        yield pad + "  default:"
        yield pad + "    dev->state = BROKEN;"
        yield pad + "}"

    def function(self):
        name = f"step_{len(self.functions)}"
        self.lines += [
            "", f"int {name}(struct device *dev, int a, u32 *shared) {{",
            "  struct buffer *at;", "  u32 local[8] = {0}, total = *shared;",
            "  int i = 0, b = a;"]
        self.lines += self.block(0, 1)
        self.lines += self.block(0, 1)
        self.lines += ["  *shared = total;", "  return a + b;", "failed:",
                       "  dev->state = BROKEN;", "  return -1;", "}"]
        self.functions.append(name)


def repeated(head, line, tail):
    """Files that consist of one kind of line, which gets its number."""
    return lambda count: head + "".join(
        line.replace("@", str(i)) for i in range(count)) + tail


EXTREMES = {
    "one function": repeated(
        "int a[64], g(int);\nint f(int x, int y, int *p) {\n",
        "  if (x > @) *p += a[y & 63] * g(x + y);\n", "  return x;\n}\n"),
    "functions": repeated(
        "", "int f@(int x, int y) { return x * @ + y; }\n", ""),
    "cases": repeated(
        "int f(int x) {\n  switch (x) {\n",
        "    case @: x += 3; break;\n", "  }\n  return x;\n}\n"),
    "locals": repeated(
        "int f(int x) {\n", "  int v@ = x + @; x ^= v@;\n",
        "  return x;\n}\n"),
    "table": repeated(
        "struct entry { int key; short parts[3]; };\n"
        "struct entry table[] = {\n", "  {@, {1, @ % 100, 3}},\n", "};\n"),
    "strings": repeated(
        "int puts(const char *);\nvoid f(void) {\n",
        '  puts("line @ of many with some text");\n', "}\n"),
}


def write_c(lines, seed=1):
    writer = Writer(seed)
    while len(writer.lines) < lines:
        writer.function()
    return "\n".join(writer.lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(write_c(int(sys.argv[1]), int((sys.argv[2:] or [1])[0])))
