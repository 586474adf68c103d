#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`agon check` over a whole project, in many processes.

    batch_test.py AGON
"""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from agon import agon, expect, load, main, without_times

FILES = {
    "src/good.c": """
#include "lock.h"
int good(int n) { lock(); n = helper(n); unlock(); return n; }
""",
    "src/helper.c": """
int counter;
int helper(int n) { return n > 5 ? 5 : 1; }
""",
    "src/bad.c": """
#include "lock.h"
int bad(int n) { lock(); if (n == 77) return 1; unlock(); return 0; }
""",
    # Two programs of the project have a 'twice', and a static one each.
    "src/twice_a.c": "int twice(void) { return 1; }\n",
    "src/twice_b.c": "int twice(void) { return 2; }\n",
    "src/uses_twice.c": """
extern int twice(void);
#include "lock.h"
static int inner(void) { lock(); unlock(); return twice() != 0; }
int outer(void) { return inner(); }
""",
    "src/broken.c": "int broken( {\n",
    "src/lock.h": "void lock(void); void unlock(void); int helper(int);\n",
    "specs/library.agon": """
assume void lock(void)   : (lock -> return -> STOP);
assume void unlock(void) : (unlock -> return -> STOP);
Free = (lock -> Held | return[_] -> STOP),
Held = (unlock -> Free).
""",
    "specs/a_good.agon": """
import "library.agon"
verify int good(int n) : (lock -> unlock -> return[1..5] -> STOP);
""",
    "specs/b_bad.agon": 'import "library.agon"\n'
                        "verify int bad(int n) : Free;\n",
    "specs/c_outer.agon": 'import "library.agon"\n'
                          "verify int outer(void) : Free;\n"
                          "verify int inner(void) : Free;\n",
    "specs/deep/d_syntax.agon": "verify int good(int n : Free;\n",
    "specs/deep/e_missing.agon": 'import "../library.agon"\n'
                                 "verify int goood(int n) : Free;\n",
    "specs/deep/f_twice.agon": 'import "../library.agon"\n'
                               "verify int twice(void) : Free;\n",
}

# Nobody would find out by trying.
HARD = """
extern void step(void);
typedef unsigned long u;
u hard(u a, u b, u c) {
  if (a > 1 && b > 1 && a < 100000 && b < 100000 && c < 100000 &&
      a * a * a + b * b * b == c * c * c)
    step();
  return a;
}
"""


def project(folder, extra=None):
    """Writes the files; a compile_commands.json knows the C files."""
    for name, text in {**FILES, **(extra or {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    commands = [{"directory": str(folder), "file": str(path),
                 "arguments": ["cc", "-c", "-Isrc", str(path)]}
                for path in sorted(folder.glob("src/*.c"))]
    (folder / "build").mkdir()
    (folder / "build/compile_commands.json").write_text(json.dumps(commands))


def in_project(test):
    def wrapped(binary):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder).resolve()
            project(folder)
            test(binary, folder)
    wrapped.__name__ = test.__name__
    return wrapped


def check(binary, folder, *words, **settings):
    return agon(binary, "check", "-p", "build", *words, "--json", "out.json",
                cwd=folder, **settings)


@in_project
def all_targets(binary, folder):
    done = check(binary, folder, "--spec", "specs", "--jobs", "2", "--junit",
                 "out.xml", "--sarif", "out.sarif")
    expect(done.code == 1, done)
    found = [(r["spec_file"], r["target"], r["verdict"])
             for r in load(folder / "out.json")["results"]]
    expect(found == [
        ("specs/a_good.agon", "good", "holds"),
        ("specs/b_bad.agon", "bad", "violated"),
        ("specs/c_outer.agon", "outer", "holds"),
        ("specs/c_outer.agon", "inner", "holds"),
        ("specs/deep/d_syntax.agon", "specs/deep/d_syntax.agon", "unknown"),
        ("specs/deep/e_missing.agon", "goood", "unknown"),
        ("specs/deep/f_twice.agon", "twice", "unknown")], found)
    reasons = [r["reason"] for r in load(folder / "out.json")["results"]]
    expect("d_syntax.agon:1:" in reasons[4], reasons[4])
    expect("no file of the project defines 'goood'" in reasons[5], reasons[5])
    expect("is defined in src/twice_a.c and in src/twice_b.c" in reasons[6],
           reasons[6])
    expect("'twice' is defined in" in done.err, done)
    expect(re.search(r"^    src/bad\.c:3 +\[n == 77\]$", done.out, re.M), done)
    lines = done.out.splitlines()
    expect("Summary" in lines, done)
    table = lines[lines.index("Summary") + 1:]
    expect(len(table) == 8 and all(len(line) <= 80 for line in table), table)
    expect(re.match(r"7 questions: 3 hold, 1 violated, 3 unknown", table[-1]),
           table[-1])


@in_project
def what_a_callee_does_counts(binary, folder):
    """helper.c is found, though no specification names it."""
    (folder / "src/helper.c").write_text("int helper(int n) { return 9; }\n")
    done = check(binary, folder, "--spec", "specs/a_good.agon")
    expect(done.code == 1, done)


@in_project
def order_is_deterministic(binary, folder):
    def text(jobs):
        done = check(binary, folder, "--spec", "specs", "--jobs", jobs)
        out = re.sub(r" +[0-9.]+ s$", "", done.out, flags=re.M)
        return (done.code, out, done.err,
                without_times(load(folder / "out.json")))
    for one, many in zip(text("1"), text("4")):
        expect(one == many, f"the number of jobs matters: {one} {many}")


@in_project
def exit_codes(binary, folder):
    specs = folder / "specs"
    (specs / "b_bad.agon").unlink()
    expect(check(binary, folder, "--spec", "specs").code == 2, "bad input")
    for path in (specs / "deep").iterdir():
        path.unlink()
    expect(check(binary, folder, "--spec", "specs").code == 0, "holds")
    done = check(binary, folder, "--spec", "specs", "--max-iterations", "1")
    expect(done.code in (0, 3), done)
    done = check(binary, folder, "--spec", "nowhere")
    expect(done.code == 2, done)
    done = check(binary, folder, "--spec", "specs", "--target", "gooood")
    expect(done.code == 2 and "verifies no 'gooood'" in done.err, done)
    done = agon(binary, "check", "--spec", "specs", cwd=folder)
    expect(done.code == 2 and "C files are needed" in done.err, done)


@in_project
def one_file_in_many_processes(binary, folder):
    done = agon(binary, "check", "src/uses_twice.c", "--spec",
                "specs/c_outer.agon", "--jobs", "2", "--json", "-",
                cwd=folder)
    expect(done.code == 0, done)
    names = [r["target"] for r in json.loads(done.out)["results"]]
    expect(names == ["outer", "inner"], names)


@in_project
def imported_targets(binary, folder):
    """They are decided once: with their own file if that is checked, too."""
    (folder / "specs/all.agon").write_text(
        'import "a_good.agon"\nimport "b_bad.agon"\n'
        "verify int outer(void) : Free;\n")
    files = ["src/good.c", "src/helper.c", "src/bad.c", "src/uses_twice.c"]
    expected = None
    for words in ([], ["--jobs", "2"]):
        done = agon(binary, "check", *files, "--spec", "specs/all.agon",
                    *words, "--json", "-", "-I", "src", cwd=folder)
        found = sorted((r["target"], r["verdict"])
                       for r in json.loads(done.out)["results"])
        expected = expected or found
        expect(found == expected and len(found) == 3, found)
    # Here the imported line is about nothing.
    done = agon(binary, "check", "src/uses_twice.c", "--spec",
                "specs/all.agon", "--jobs", "2", "--json", "-", "-I", "src",
                cwd=folder)
    found = [r["target"] for r in json.loads(done.out)["results"]]
    expect(done.code == 0 and found == ["outer"], done)


@in_project
def answers_are_kept(binary, folder):
    for wanted in (0, 4):
        check(binary, folder, "--spec", "specs", "--cache", "kept", "--stats")
        statistics = load(folder / "out.json")["statistics"]
        expect(statistics.get("cache.hits", 0) >= wanted, statistics)
    expect("cache.misses" not in statistics, statistics)


@in_project
def each_target_has_its_evidence(binary, folder):
    """No process replaces what another has written, and each file can be
    used."""
    done = check(binary, folder, "--spec", "specs", "--jobs", "2",
                 "--certificate", "proof.json", "--harness", "harness.c")
    expect(done.code == 1, done)
    names = sorted(path.name for path in folder.glob("proof*"))
    expect(names == ["proof-a_good-good.json", "proof-c_outer-inner.json",
                     "proof-c_outer-outer.json"], names)
    checker = pathlib.Path(binary).with_name("agon-certify")
    for name in names:
        certificate = load(folder / name)
        files = [each["file"] for each in certificate["sources"]]
        spec = certificate["spec"][0]["file"]
        checked = agon(checker, name, *files, "--spec", spec, "-p", "build",
                       cwd=folder)
        expect(checked.code == 0, checked)
    expect([path.name for path in folder.glob("harness*")] ==
           ["harness-b_bad-bad.c"], done)
    results = load(folder / "out.json")["results"]
    expect(["inputs" in each for each in results] ==
           [each["verdict"] == "violated" for each in results], results)
    replayed = agon(binary, "replay", "out.json", "--trust", cwd=folder)
    expect(replayed.code == 1 and "src/bad.c:" in replayed.out, replayed)
    # One target needs no name of its own.
    done = check(binary, folder, "--spec", "specs/a_good.agon",
                 "--certificate", "one.json")
    expect(done.code == 0 and (folder / "one.json").exists(), done)


def children(pid):
    path = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in path.read_text().split()]


def start_hard(binary, folder, *words):
    (folder / "src/hard.c").write_text(HARD)
    (folder / "specs/z_hard.agon").write_text(
        "assume void step(void) : (step -> return -> STOP);\n"
        "Never = STOP + {step}.\n"
        "verify unsigned long hard(unsigned long a, unsigned long b, "
        "unsigned long c) : Never;\n")
    commands = load(folder / "build/compile_commands.json")
    commands.append({"directory": str(folder), "file": "src/hard.c",
                     "arguments": ["cc", "-c", "src/hard.c"]})
    (folder / "build/compile_commands.json").write_text(json.dumps(commands))
    for path in (folder / "specs/deep").iterdir():
        path.unlink()
    (folder / "specs/b_bad.agon").unlink()
    return subprocess.Popen(
        [str(binary), "check", "-p", "build", "--spec", "specs", "--json",
         "out.json", "--jobs", "1", *words], cwd=folder,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def verdicts(folder):
    return [r["verdict"] for r in load(folder / "out.json")["results"]]


@in_project
def a_time_limit_stops_one(binary, folder):
    running = start_hard(binary, folder, "--timeout", "2")
    running.communicate(timeout=60)
    expect(running.returncode == 3, running.returncode)
    expect(verdicts(folder) == ["holds", "holds", "holds", "unknown"],
           verdicts(folder))


def last_child(running):
    """The process of the hard question, as soon as it is asked: the program
    says so when it gets SIGUSR1."""
    os.set_blocking(running.stderr.fileno(), False)
    said = b""
    deadline = time.time() + 60
    while time.time() < deadline:
        now = children(running.pid)
        if now and b"now: hard;" in said:
            return now[0]
        if now:  # Not before: the signal would kill it.
            running.send_signal(signal.SIGUSR1)
        time.sleep(0.3)
        said += running.stderr.read() or b""
    raise AssertionError(f"the hard question is never asked: {said}")


@in_project
def a_crash_stops_one(binary, folder):
    running = start_hard(binary, folder)
    os.kill(last_child(running), signal.SIGSEGV)
    running.communicate(timeout=60)
    expect(running.returncode == 4, running.returncode)
    expect(verdicts(folder) == ["holds", "holds", "holds", "unknown"],
           verdicts(folder))
    reason = load(folder / "out.json")["results"][3]["reason"]
    expect("Segmentation fault" in reason, reason)


@in_project
def an_interrupt_keeps_what_is_known(binary, folder):
    running = start_hard(binary, folder)
    last_child(running)
    running.terminate()
    running.communicate(timeout=60)
    expect(running.returncode == 3, running.returncode)
    expect(verdicts(folder) == ["holds", "holds", "holds", "unknown"],
           verdicts(folder))


if __name__ == "__main__":
    sys.exit(main([all_targets, what_a_callee_does_counts,
                   order_is_deterministic, exit_codes,
                   one_file_in_many_processes, imported_targets,
                   answers_are_kept, each_target_has_its_evidence,
                   a_time_limit_stops_one, a_crash_stops_one,
                   an_interrupt_keeps_what_is_known]))
