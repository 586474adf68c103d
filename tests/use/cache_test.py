#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A kept answer is the answer: `--cache`.

    cache_test.py AGON
"""

import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from agon import EXAMPLES, ROOT, SCALE, agon, expect, main, without_times

COMMAND = re.compile(r"^\s*(?://|#)?\s*RUN: (agon (?:check|reach|module) .*)$")

LOCK = """
assume void lock(void)   : (lock -> return -> STOP);
assume void unlock(void) : (unlock -> return -> STOP);
Free = (lock -> Held | return[_] -> STOP),
Held = (unlock -> Free).
verify int work(int n) : Free;
"""
GOOD = """
void lock(void); void unlock(void); int other(int);
int unrelated(int n) { return n + 1; }
int work(int n) {
  lock();
  if (n > 3) n = other(n);
  unlock();
  return n;
}
"""
BAD = GOOD.replace("  unlock();", "  if (n != 12) unlock();")


def in_folder(test):
    def wrapped(binary):
        with tempfile.TemporaryDirectory() as folder:
            test(binary, pathlib.Path(folder).resolve())
    wrapped.__name__ = test.__name__
    return wrapped


def check(binary, folder, *words):
    """The results, and whether a solver or the engine had to work."""
    done = agon(binary, "check", "work.c", "--spec", "work.agon", "--json",
                "-", "--stats", "--cache", "kept", *words, cwd=folder)
    expect(done.code in (0, 1, 3), done)
    document = json.loads(done.out)
    worked = document["statistics"].get("cache.misses", 0) > 0
    return without_times(document), worked, document["statistics"]


def write(folder, source, spec=LOCK):
    (folder / "work.c").write_text(source)
    (folder / "work.agon").write_text(spec)


def steps(document):
    return [(s["file"], s["line"], s["text"])
            for s in document["results"][0]["counterexample"]["steps"]]


@in_folder
def again_is_instant(binary, folder):
    for source in (GOOD, BAD):
        write(folder, source)
        first, worked, _ = check(binary, folder)
        expect(worked, "the first run found something")
        second, worked, statistics = check(binary, folder)
        expect(not worked and "solver.calls" not in statistics, statistics)
        expect(first == second, "another answer")


@in_folder
def comments_do_not_matter(binary, folder):
    for source in (GOOD, BAD):
        write(folder, source)
        first, _, _ = check(binary, folder)
        write(folder, "// A comment\n\n" + source.replace("  lock();",
                                                          "\n\n  lock ( );"))
        second, worked, _ = check(binary, folder)
        expect(not worked, "a comment matters")
        # And yet the lines are those of the new file.
        shutil.rmtree(folder / "kept")
        fresh, worked, _ = check(binary, folder)
        expect(worked and fresh == second, "lines are wrong")
        if source is BAD:
            expect(steps(first) != steps(second), "lines did not move")


@in_folder
def a_line_for_two_statements_that_part(binary, folder):
    """Places that were one and are two now: nobody can say which is meant."""
    joined = BAD.replace("  lock();\n", "  lock(); ")
    write(folder, joined)
    check(binary, folder)
    write(folder, BAD)
    second, _, _ = check(binary, folder)
    shutil.rmtree(folder / "kept")
    fresh, _, _ = check(binary, folder)
    expect(fresh == second, "lines are wrong")


@in_folder
def edits_that_matter(binary, folder):
    write(folder, GOOD)
    first, _, _ = check(binary, folder)
    expect(first["results"][0]["verdict"] == "holds", first)
    write(folder, BAD)
    second, worked, _ = check(binary, folder)
    expect(worked and second["results"][0]["verdict"] == "violated", second)
    write(folder, GOOD, LOCK.replace("return[_] -> STOP)", "tau -> STOP)", 1))
    check(binary, folder)
    write(folder, GOOD, LOCK.replace("lock -> Held", "unlock -> Held"))
    third, worked, _ = check(binary, folder)
    expect(worked and third["results"][0]["verdict"] == "violated", third)


@in_folder
def edits_elsewhere(binary, folder):
    """What is sliced away costs no new proof."""
    write(folder, GOOD)
    check(binary, folder)
    write(folder, GOOD.replace("n + 1", "n + 2"))
    _, _, statistics = check(binary, folder)
    expect("solver.calls" not in statistics, statistics)


@in_folder
def more_detail_will_do(binary, folder):
    """What was kept with the model answers those who want less, as they would
    be answered without a cache; less does not answer those who want more."""
    for source in (GOOD, BAD):
        write(folder, source)
        for words in (["--html", "page.html"], []):
            done = agon(binary, "check", "work.c", "--spec", "work.agon",
                        "--cache", "kept", *words, cwd=folder)
        text = agon(binary, "check", "work.c", "--spec", "work.agon",
                    cwd=folder)
        expect(done.out == text.out, "the text is another")
        known, worked, _ = check(binary, folder)
        expect(not worked, "the history is decided again")
        shutil.rmtree(folder / "kept")
        fresh, worked, _ = check(binary, folder)
        expect(worked and fresh == known, "less is not the same")
        done = agon(binary, "check", "work.c", "--spec", "work.agon",
                    "--cache", "kept", "--html", "again.html", "--stats",
                    cwd=folder)
        expect("cache.misses" in done.err, "there is no model")
        shutil.rmtree(folder / "kept")


@in_folder
def options_matter(binary, folder):
    write(folder, GOOD)
    check(binary, folder)
    for words in (["--conformance", "simulation"], ["--blocks", "single"],
                  ["--solver", "cvc5"], ["--seed", "3"], ["--paper"],
                  ["--overflow", "error"]):
        _, worked, _ = check(binary, folder, *words)
        expect(worked, f"{words} does not matter")
        _, worked, _ = check(binary, folder, *words)
        expect(not worked, f"{words} is not kept")
    for words in (["--timeout", "50"], ["--color", "never"], ["--quiet"],
                  ["--trace", "full"]):
        _, worked, _ = check(binary, folder, *words)
        expect(not worked, f"{words} matters")


@in_folder
def unknown_is_not_kept(binary, folder):
    for name in ("disk.c", "disk.agon"):
        shutil.copy(EXAMPLES / name, folder / name.replace("disk", "work"))
    for _ in range(2):
        document, worked, _ = check(binary, folder, "--max-iterations", "1")
        verdicts = {r["verdict"] for r in document["results"]}
        expect(worked and "unknown" in verdicts, verdicts)


@in_folder
def damage_is_noticed(binary, folder):
    write(folder, BAD)
    first, _, _ = check(binary, folder)
    kept = sorted((folder / "kept").iterdir())
    whole = {path: path.read_bytes() for path in kept}
    choose = random.Random(1)
    damages = [lambda b: b"", lambda b: b[:len(b) // 2], lambda b: b + b"x",
               lambda b: b"\0" * len(b), lambda b: b"garbage\n"]
    for _ in range(int(12 * SCALE)):
        at, bit = choose.random(), 1 << choose.randrange(8)
        damages.append(lambda b, at=at, bit=bit: flipped(b, at, bit))
    for damage in damages:
        for path, content in whole.items():
            path.write_bytes(damage(content))
        again, worked, _ = check(binary, folder)
        expect(worked and again == first, "damage goes unnoticed")
    # Answers to other questions under this name are no answers, either.
    other = folder / "other"
    other.mkdir()
    write(other, GOOD)
    check(binary, other)
    for path in kept:
        shutil.copy(sorted((other / "kept").iterdir())[0], path)
    again, _, _ = check(binary, folder)
    expect(again == first, "an answer to another question")


def flipped(content, at, bit):
    index = int(at * len(content))
    return content[:index] + bytes([content[index] ^ bit]) + content[index + 1:]


@in_folder
def many_writers(binary, folder):
    write(folder, BAD)
    fresh, _, _ = check(binary, folder)
    shutil.rmtree(folder / "kept")
    command = [str(binary), "check", "work.c", "--spec", "work.agon", "--json",
               "-", "--cache", "kept"]
    for _ in range(3):
        running = [subprocess.Popen(command, cwd=folder,
                                    stdout=subprocess.PIPE)
                   for _ in range(6)]
        for each in running:
            out, _ = each.communicate(timeout=60)
            document = json.loads(out)
            expect(without_times(document)["results"] == fresh["results"],
                   "writers disturb each other")
        for path in list((folder / "kept").iterdir())[::2]:
            path.unlink()
    names = [p.name for p in (folder / "kept").iterdir()]
    expect(all(name.endswith(".answer") for name in names), names)


@in_folder
def a_bad_directory_is_an_error(binary, folder):
    write(folder, GOOD)
    (folder / "kept").write_text("a file")
    done = agon(binary, "check", "work.c", "--spec", "work.agon", "--cache",
                "kept", cwd=folder)
    expect(done.code == 2 and "--cache" in done.err, done)


@in_folder
def a_full_or_read_only_directory_costs_no_answer(binary, folder):
    write(folder, BAD)
    done = agon(binary, "check", "work.c", "--spec", "work.agon", "--quiet",
                cwd=folder)
    (folder / "small").mkdir()
    check_again = (f"{binary} check work.c --spec work.agon --quiet "
                   "--cache small; echo $? >&2; ls -A small >&2; ")
    script = ("PATH=$PATH:/usr/sbin:/sbin; "
              "mount -t tmpfs -o size=4k,nr_inodes=2 none small || exit 9; "
              f"echo > small/full; {check_again}"
              f"mount -o remount,ro small; {check_again}")
    inside = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", script],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if "not permitted" in inside.stderr or inside.returncode == 9:
        print("no right to mount a small disk")
        return
    expect(inside.stdout == 2 * done.out, inside)
    expect(inside.stderr == 2 * f"{done.code}\nfull\n", inside)


def commands():
    """The runs of the regression suite that decide something."""
    for path in sorted((ROOT / "tests/regress").rglob("*.test")):
        for line in path.read_text(errors="replace").splitlines():
            match = COMMAND.match(line)
            if match and not re.search(r"[|;&<>]|%t|--help|--html", match[1]):
                words = shlex.split(match[1].replace("%s", path.name))[1:]
                if "--json" in words:
                    at = words.index("--json")
                    words[at:at + 2] = []
                yield path.parent, words


def was_slow(done):
    """Whether an answer depends on how busy the machine is."""
    return any(re.search("time limit|memory limit", result["reason"] or "")
               for result in json.loads(done.out)["results"])


@in_folder
def the_whole_suite(binary, folder):
    """Cached and fresh answers are the same. What takes long is left out
    unless there is time."""
    deadline = time.monotonic() + 25 * SCALE
    compared = 0
    todo = list(commands())
    random.Random(os.environ.get("AGON_TEST_SEED", "1")).shuffle(todo)
    for where, words in todo:
        if time.monotonic() > deadline and compared >= 20:
            break

        def run():
            try:
                return agon(binary, *words, "--json", "-", "--cache",
                            folder / "kept", cwd=where, timeout=3 * SCALE)
            except subprocess.TimeoutExpired:
                return None
        fresh = run()
        if fresh is None or fresh.code not in (0, 1, 3):
            continue
        kept = run()
        if kept is None or was_slow(fresh) or was_slow(kept):
            continue
        compared += 1
        expect(fresh.code == kept.code and
               without_times(json.loads(fresh.out)) ==
               without_times(json.loads(kept.out)),
               f"{where.name}: {' '.join(words)}")
    expect(compared >= 20, f"only {compared} runs were compared")
    print(f"{compared} of {len(todo)} runs compared")


if __name__ == "__main__":
    sys.exit(main([again_is_instant, comments_do_not_matter,
                   a_line_for_two_statements_that_part, edits_that_matter,
                   edits_elsewhere, more_detail_will_do, options_matter, unknown_is_not_kept,
                   damage_is_noticed, many_writers,
                   a_bad_directory_is_an_error,
                   a_full_or_read_only_directory_costs_no_answer,
                   the_whole_suite]))
