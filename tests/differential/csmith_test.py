#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs random programs of csmith both compiled and interpreted.

    csmith_test.py RUN_C COUNT FIRST_SEED [FOLDER_FOR_FAILURES]

The checksums that both print must be equal, in the first mode of the corpus
and in one of the others, which the seed chooses. Seeds are FIRST_SEED and
those after it until COUNT programs have been compared; the environment
variable AGON_TEST_SCALE multiplies COUNT. Programs that run for more than a
moment are skipped: those of csmith need not terminate.
"""

import collections
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from corpus_test import MODES

# Options of csmith and of both compilers; the seed decides which.
PROFILES = [
    ("everything", [], []),
    ("builtins", ["--builtins", "--inline-function"], []),
    ("32 bits", [], ["-m32"]),
    ("plain structs", ["--no-packed-struct", "--no-volatiles",
                       "--max-struct-fields", "20"], []),
    ("deep pointers", ["--max-pointer-depth", "5", "--no-volatiles"], []),
    ("arrays", ["--max-array-dim", "4", "--max-array-len-per-dim", "6",
                "--force-non-uniform-arrays"], []),
    ("deep blocks", ["--max-block-depth", "6", "--max-block-size", "3",
                     "--const-as-condition"], []),
    ("many functions", ["--max-funcs", "20", "--no-unions",
                        "--max-expr-complexity", "6"], []),
    ("32 bits, builtins", ["--builtins"], ["-m32"]),
    ("small", ["--no-volatiles", "--max-funcs", "4", "--no-jumps",
               "--no-global-variables"], []),
]

COMPILER = ["gcc", "-O0", "-w", "-fwrapv"]
HEADERS = next((str(path.parent) for path in [
    *pathlib.Path("/usr/include").glob("csmith*/csmith.h"),
    *pathlib.Path("/usr/local/include").glob("csmith*/csmith.h")]), "")
GENERATED_SECONDS = 10
COMPILED_SECONDS = 0.5  # Of the processor.
INTERPRETED_SECONDS = 20
ALLOWED_REJECTED = 0.02

# csmith calls these with arguments for which they are undefined, or only some
# processors have them.
PRELUDE = """
#define GUARDED(name, type, zero) \\
  static int guarded_##name(type x) { return x ? __builtin_##name(x) : zero; }
GUARDED(clz, unsigned, 32)
GUARDED(clzl, unsigned long, 64)
GUARDED(clzll, unsigned long long, 64)
GUARDED(ctz, unsigned, 32)
GUARDED(ctzl, unsigned long, 64)
GUARDED(ctzll, unsigned long long, 64)
static unsigned guarded_ia32_crc32qi(unsigned crc, unsigned char data) {
  crc ^= data;
  for (int i = 0; i < 8; ++i)
    crc = crc & 1 ? crc >> 1 ^ 0x82f63b78u : crc >> 1;
  return crc;
}
"""
TO_GUARD = re.compile(r"__builtin_(clzl?l?|ctzl?l?|ia32_crc32qi)\b")


def generate(seed, options, target):
    target.unlink(missing_ok=True)
    try:
        done = subprocess.run(
            ["csmith", "--seed", str(seed), "--output", str(target), *options],
            capture_output=True, timeout=GENERATED_SECONDS, cwd=target.parent)
    except subprocess.TimeoutExpired:
        return False
    if done.returncode != 0 or not target.exists():
        return False
    text = TO_GUARD.sub(r"guarded_\1", target.read_text())
    target.write_text(text.replace('#include "csmith.h"',
                                   '#include "csmith.h"' + PRELUDE, 1))
    return True


def run_compiled(program, flags, folder):
    binary = str(folder / "program")
    subprocess.run([*COMPILER, *flags, f"-I{HEADERS}", str(program), "-o",
                    binary], check=True, capture_output=True, timeout=120)
    done = subprocess.run(
        [binary], capture_output=True, preexec_fn=lambda: signal.setitimer(
            signal.ITIMER_PROF, COMPILED_SECONDS))
    if done.returncode != 0:  # Killed at the limit.
        return None
    return done.stdout.decode(errors="replace")


def run_interpreted(run_c, mode, program, flags):
    """What became of it, and what it printed or complained."""
    try:
        done = subprocess.run(
            [run_c, *mode.split(), *flags, f"-I{HEADERS}", str(program)],
            capture_output=True, timeout=INTERPRETED_SECONDS)
    except subprocess.TimeoutExpired:
        return "too long", ""
    log = done.stderr.decode(errors="replace")
    if done.returncode == 2 and "returned" not in log:
        first = log.splitlines()[0] if log else "no message"
        return "rejected", re.sub(r"^\S+: (error: )?", "", first)
    if "step limit" in log:
        return "too long", ""
    if "returned" in log:
        return "run", done.stdout.decode(errors="replace")
    return "crashed", f"exit code {done.returncode}: {log.strip()}"


def modes(seed):
    """The modes for a program: the plain one, and the others in turn."""
    others = MODES[1:]
    return MODES[:1] + others[seed // len(PROFILES) % max(1, len(others)):][:1]


class Campaign:
    """Counts what happened, and keeps the programs that went wrong."""

    def __init__(self, run_c, failures):
        self.run_c = run_c
        self.failures = failures
        self.counts = collections.Counter()
        self.reasons = collections.Counter()
        self.by_profile = collections.Counter()
        self.by_mode = collections.Counter()

    def fail(self, kind, seed, options, program, text):
        self.counts[kind] += 1
        print(f"{kind}: csmith --seed {seed} {' '.join(options)}\n  {text}",
              flush=True)
        if self.failures:
            self.failures.mkdir(parents=True, exist_ok=True)
            shutil.copy(program, self.failures / f"{seed}.c")

    def check(self, seed, folder):
        name, options, flags = PROFILES[seed % len(PROFILES)]
        program = folder / "program.c"
        if not generate(seed, options, program):
            self.counts["not generated"] += 1
            return
        self.counts["programs"] += 1
        self.by_profile[name] += 1
        expected = run_compiled(program, flags, folder)
        if expected is None:
            self.counts["skipped: runs too long when compiled"] += 1
            return
        compared = False
        for mode in modes(seed):
            what, text = run_interpreted(self.run_c, mode, program, flags)
            shown = [*options, *flags, mode]
            if what == "too long":
                self.counts["skipped: runs too long when interpreted"] += 1
                continue
            compared = True
            self.counts["runs"] += 1
            if what == "rejected":
                self.counts["rejected"] += 1
                self.reasons[text] += 1
                if self.failures:
                    self.failures.mkdir(parents=True, exist_ok=True)
                    shutil.copy(program, self.failures / f"rejected{seed}.c")
            elif what == "crashed":
                self.fail("crashed", seed, shown, program, text)
            elif text != expected:
                self.fail("disagreed", seed, shown, program,
                          f"compiled {expected.strip()}, interpreted "
                          f"{text.strip()}")
            else:
                self.counts["agreed"] += 1
                self.by_mode[mode or "as lowered"] += 1
        self.counts["compared"] += compared

    def summary(self):
        for name in ("programs", "compared", "runs", "agreed", "disagreed",
                     "crashed", "rejected",
                     "skipped: runs too long when compiled",
                     "skipped: runs too long when interpreted",
                     "not generated"):
            print(f"{self.counts[name]:6} {name}")
        for reason, count in self.reasons.most_common():
            print(f"{count:6} rejected because: {reason}")
        for name, count in self.by_profile.items():
            print(f"{count:6} programs of profile '{name}'")
        for name, count in self.by_mode.items():
            print(f"{count:6} agreed in mode '{name}'")
        print(flush=True)

    def passed(self):
        counts = self.counts
        return (counts["disagreed"] == 0 and counts["crashed"] == 0
                and counts["agreed"] > 0
                and counts["rejected"] <= ALLOWED_REJECTED * counts["runs"])


def main():
    run_c, count, first = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    count = max(1, int(count * float(os.environ.get("AGON_TEST_SCALE", "1"))))
    failures = pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else None
    if not HEADERS or shutil.which("csmith") is None:
        print("csmith is missing; see tools/packages.txt")
        return 1
    campaign = Campaign(run_c, failures)
    with tempfile.TemporaryDirectory(prefix="agon-csmith-") as folder:
        for done, seed in enumerate(range(first, first + 2 * count), 1):
            campaign.check(seed, pathlib.Path(folder))
            if campaign.counts["compared"] == count:
                break
            if done % 500 == 0:
                print(f"up to seed {seed}:")
                campaign.summary()
    campaign.summary()
    return 0 if campaign.passed() else 1


if __name__ == "__main__":
    sys.exit(main())
