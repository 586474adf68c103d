#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What people see: colour, width, progress, --quiet, SIGUSR1. On a terminal,
which here is a pseudo-terminal, and elsewhere.

    terminal_test.py AGON
"""

import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

from agon import EXAMPLES, ROOT, agon, expect, main

CHECK = ["check", EXAMPLES / "disk_bug.c", "--spec", EXAMPLES / "disk.agon"]
ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")

# Nobody would find out by trying.
HARD = """
extern void reach_error(void);
typedef unsigned long u;
u hard(u a, u b, u c) {
  if (a > 1 && b > 1 && a < 100000 && b < 100000 && c < 100000 &&
      a * a * a + b * b * b == c * c * c)
    reach_error();
  return a;
}
"""


class Terminal:
    """A process whose stdout and stderr are one terminal of 80 columns."""

    def __init__(self, binary, *words, env=None, columns=80):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ,
                    struct.pack("HHHH", 24, columns, 0, 0))
        settings = {**os.environ, "TERM": "xterm", **(env or {})}
        if "NO_COLOR" not in (env or {}):
            settings.pop("NO_COLOR", None)
        self.process = subprocess.Popen(
            [str(binary), *map(str, words)], stdin=slave, stdout=slave,
            stderr=slave, env=settings, cwd=ROOT)
        os.close(slave)
        self.text = ""

    def read(self, seconds):
        """Takes what comes in this time; false once there is no more."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.master], [], [], left)[0]:
                break
            try:
                chunk = os.read(self.master, 65536)
            except OSError:
                return False
            if not chunk:
                return False
            self.text += chunk.decode(errors="replace")
        return True

    def finish(self, seconds=60):
        end = time.monotonic() + seconds
        while self.read(0.5):
            expect(time.monotonic() < end, "it does not end")
        os.close(self.master)
        self.process.wait()
        return self.text.replace("\r\n", "\n")


def screen(text):
    """The lines that stay, after what is taken back."""
    lines = []
    for line in text.split("\n"):
        kept = line.split("\r\x1b[K")[-1]
        lines.append(ESCAPE.sub("", kept))
    return lines


def colours(binary):
    text = Terminal(binary, *CHECK).finish()
    expect("\x1b[1;31mviolated\x1b[0m" in text, text)
    expect("\x1b[32mholds\x1b[0m" in text, text)
    plain = agon(binary, *CHECK, cwd=ROOT)
    expect("\x1b" not in plain.out + plain.err, "colour in a pipe")
    text = Terminal(binary, *CHECK, env={"NO_COLOR": "1"}).finish()
    expect("\x1b[3" not in text and "\x1b[1" not in text, "NO_COLOR")
    text = Terminal(binary, *CHECK, env={"TERM": "dumb"}).finish()
    expect("\x1b[3" not in text and "\x1b[1" not in text, "TERM=dumb")
    text = Terminal(binary, *CHECK, "--color", "never").finish()
    expect("\x1b[3" not in text and "\x1b[1" not in text, "--color never")
    forced = agon(binary, *CHECK, "--color=always", cwd=ROOT)
    expect("\x1b[1;31mviolated" in forced.out, "--color always")
    # The words are the same.
    expect(ESCAPE.sub("", forced.out) == plain.out, "colour changes words")


def width(binary):
    words = ["check", EXAMPLES / "ring.c", "--spec", EXAMPLES / "ring.agon"]
    for columns in (80, 60):
        for case in (CHECK, ["module", EXAMPLES / "stack_bug.c", "--api",
                             "push,pop", "--callbacks"]):
            text = Terminal(binary, *case, columns=columns).finish()
            lines = screen(text)
            long = [line for line in lines
                    if len(line) > columns and " " in line.strip()]
            expect(not long, f"too wide: {long[:2]}")
    piped = agon(binary, *words, cwd=ROOT).out.split()
    shown = " ".join(screen(Terminal(binary, *words, columns=60).finish()))
    expect(piped == shown.split(), "words are lost")


def hard(binary, folder, *words):
    path = pathlib.Path(folder) / "hard.c"
    path.write_text(HARD)
    return [str(binary), "reach", str(path), "--entry", "hard", *words]


def live_line(binary):
    with tempfile.TemporaryDirectory() as folder:
        _, *words = hard(binary, folder, "--timeout", "2")
        terminal = Terminal(binary, *words)
        text = terminal.finish()
        expect(re.search(r"\r\x1b\[K.*; \d+ MB, \d\.\d of 2 s", text), text)
        lines = screen(text)
        expect(not any(" MB, " in line for line in lines), lines)
        expect(lines[0].startswith("hard: no error: unknown"), lines)
        for shown in re.findall(r"\r\x1b\[K([^\r\n\x1b]*)", text):
            expect(len(shown) < 80, f"too wide: {shown}")
        quiet_text = Terminal(binary, *words, "--quiet").finish()
        expect(ESCAPE.sub("", quiet_text) == "hard: no error: unknown\n",
               repr(quiet_text))


def plain_lines_and_snapshots(binary):
    """Elsewhere there is a line every ten seconds, and one for SIGUSR1. The
    process sleeps most of that time."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            hard(binary, folder, "--timeout", "60"), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        time.sleep(1.5)
        process.send_signal(signal.SIGUSR1)
        time.sleep(0.5)
        process.send_signal(signal.SIGSTOP)
        time.sleep(8.5)
        process.send_signal(signal.SIGCONT)
        time.sleep(0.7)
        process.terminate()
        out, err = process.communicate(timeout=30)
        lines = err.decode().splitlines()
        expect(process.returncode == 3, (process.returncode, out, err))
        expect(len(lines) == 2, lines)
        for line, low, high in zip(lines, (1, 9), (3, 20)):
            match = re.fullmatch(r"agon: .*; \d+ MB, ([0-9.]+) of 60 s", line)
            expect(match and low <= float(match[1]) <= high, lines)
        expect(b"interrupted" in out, out)


def quiet(binary):
    done = agon(binary, *CHECK, "--quiet", cwd=ROOT)
    expect(done.out == "disk_submit: Free: holds\n"
           "disk_flush: Free: violated\n"
           "disk_suspend: Free: violated\n", repr(done.out))
    expect(done.err == "" and done.code == 1, done)


def nothing_commands_the_terminal(binary):
    """Escape, CSI as one character, the other direction, and broken bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a.aut"
        path.write_bytes(b'des (0,1,2)\n(0,"\x1b[31mx\xc2\x9b2J\xe2\x80\xae'
                         b'\xff\x7f\xc3\xa9",1)\n')
        other = pathlib.Path(folder) / "b.aut"
        other.write_text("des (0,1,2)\n(0,b,1)\n")
        for words in (["info", path],
                      ["compare", path, other, "--relation", "trace"]):
            done = agon(binary, "lts", *words)
            for bad in ("\x1b", "\x9b", "\u202e", "\udcff", "\x7f"):
                expect(bad not in done.out + done.err, repr(done.out))
        done = agon(binary, "lts", "compare", path, other, "--relation",
                    "trace")
        expect("?[31mx?2J???é" in done.out, repr(done.out))


if __name__ == "__main__":
    sys.exit(main([colours, width, live_line, plain_lines_and_snapshots, quiet,
                   nothing_commands_the_terminal]))
