#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what programs of n components cost on one level and on two: states
that were explored together, and seconds of CPU time.

usage: bench/concurrent.py [--build DIR] [--sizes N,N…] [--timeout S]
                           [--repeat N] [--conformance trace|simulation]
                           [--families ring,pipeline,commit,results,…]
                           [--instructions]

The families results and finishes are other questions about commit: whether all
return the same, and whether there are deadlocks.

The handshakes take so little time that noise would hide the difference. So both
levels run in turn, without any report but the text, and the least of all runs
counts: milliseconds of CPU time of the whole run. With --instructions, valgrind
counts those, in millions, which hardly vary: of the whole run, and of the
engine without reading and preparing.
"""

import argparse
import json
import math
import pathlib
import re
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
SIZES = "2,3,4,5,6,8,10,12"
ENGINE = "agon::concurrent::decide*"


def assumptions(name):
    """The `assume` lines of an example, with what they import."""
    text = (EXAMPLES / name).read_text()
    return "\n".join(re.findall(r"^assume[^;]*;", text, re.M))


def ring(count):
    names = [f"n[{i}]" for i in range(count)]
    parts = " || ".join(f"{name}:node" for name in names)
    pairs = ", ".join(f"{names[(i + 1) % count]}.get/{name}.pass"
                      for i, name in enumerate(names))
    guards = "; ".join("has_token" if i == 0 else "!has_token"
                       for i in range(count))
    return "ring.c", [], assumptions("ring.agon") + f"""
Exclusive = (n[0..{count - 1}].enter -> Inside),
Inside    = (n[0..{count - 1}].leave -> Exclusive).
verify program Ring = ({parts}) / {{{pairs}}} when ({guards}) : Exclusive;
"""


def pipeline(count):
    parts = " || ".join(f"b[{i}]:buffer" for i in range(count))
    pairs = ", ".join(["put/b[0].put", f"get/b[{count - 1}].get"]
                      + [f"b[{i + 1}].put/b[{i}].get"
                         for i in range(count - 1)])
    room = count  # Stages with room for one item each.
    return "pipeline.c", ["-DSIZE=1"], assumptions("pipeline.agon") + f"""
Buffer = Count[0],
Count[i:0..{room}] = ( when (i < {room}) put -> Count[i + 1]
                     | when (i > 0) get -> Count[i - 1] ).
verify program Pipeline = ({parts}) / {{{pairs}}} : Buffer;
"""


def commit(count, question="Agree"):
    def cases(routine, name, way):
        lines = [f"assume {routine}"]
        for i in range(count):
            guard = (f"when ({name} == {i})" if i + 1 < count
                     else "otherwise")
            lines.append(f"  {guard} : ({way.replace('@', f'p[{i}]')})")
        return "\n".join(lines) + ";\n"
    parts = " || ".join(f"p[{i}]:participant" for i in range(count))
    rest = [line for line in re.findall(r"^assume[^;]*;",
                                        (EXAMPLES / "commit.agon").read_text(),
                                        re.M) if "when (" not in line]
    each = f"p[0..{count - 1}]"
    spec = {"Agree": "Agreement", "Results": "Same",
            "Finishes": "deadlock-free"}[question]
    return "commit.c", [f"-DPARTICIPANTS={count}"], "\n".join([
        cases("void send_request(int to)", "to", "@.request -> return -> STOP"),
        cases("int receive_vote(int from)", "from",
              "@.yes -> return[1] -> STOP | @.no -> return[0] -> STOP"),
        cases("void send_commit(int to)", "to", "@.commit -> return -> STOP"),
        cases("void send_abort(int to)", "to", "@.abort -> return -> STOP"),
        *rest, f"""
Agreement = ({each}.commit -> Committed | {each}.abort -> Aborted),
Committed = ({each}.commit -> Committed),
Aborted   = ({each}.abort -> Aborted).
Same = ( {{coordinator, {each}}}.return[1] -> Yes
       | {{coordinator, {each}}}.return[0] -> No ),
Yes  = ({{coordinator, {each}}}.return[1] -> Yes),
No   = ({{coordinator, {each}}}.return[0] -> No).
verify program {question} = coordinator || {parts} : {spec};
"""])


FAMILIES = {"ring": ring, "pipeline": pipeline, "commit": commit,
            "results": lambda count: commit(count, "Results"),
            "finishes": lambda count: commit(count, "Finishes")}


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def command(agon, files, spec, options, levels, arguments):
    return [agon, "check", *files, "--spec", spec, "--levels", levels,
            "--conformance", arguments.conformance, *options]


def limits(arguments):
    return ["--timeout", str(arguments.timeout), "--memory", "2000"]


def run(words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(done.stderr)
    return done.stdout


def results_of(words):
    return json.loads(run([*words, "--json", "-"]))["results"]


def check(agon, files, spec, options, levels, arguments):
    before = cpu_seconds()
    results = results_of(
        command(agon, files, spec, options, levels, arguments)
        + limits(arguments))
    return (cpu_seconds() - before, results)


def row(name, size, results):
    cells = [f"{name:<12} {size:>3}"]
    for seconds, result in results:
        cells.append(f"{result['verdict']:>9} {result['states'] or 0:>9} "
                     f"{result.get('iterations', 0):>5} "
                     f"{result.get('splits', 0):>6} "
                     f"{seconds:>8.3f}")
    print(" | ".join(cells), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=ROOT / "build/release")
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--conformance", default="trace",
                        choices=["trace", "simulation"])
    parser.add_argument("--families",
                        default="ring,pipeline,commit,results,handshake")
    parser.add_argument("--instructions", action="store_true")
    arguments = parser.parse_args()
    agon = pathlib.Path(arguments.build) / "bin/agon"
    print(f"{'':<16} | {'one level':^41} | {'two levels':^41}")
    columns = f"{'verdict':>9} {'states':>9} {'iter':>5} {'splits':>6} {'s':>8}"
    print(f"{'program':<12} {'n':>3} | {columns} | {columns}")
    with tempfile.TemporaryDirectory() as folder:
        spec = pathlib.Path(folder) / "bench.agon"
        for name in arguments.families.split(","):
            if name == "handshake":
                continue
            late = set()
            for size in map(int, arguments.sizes.split(",")):
                source, options, text = FAMILIES[name](size)
                spec.write_text(text)
                results = []
                for levels in ("one", "two"):
                    if levels in late:
                        results.append((0.0, {
                            "verdict": "-", "states": 0, "iterations": 0}))
                        continue
                    seconds, found = check(agon, [EXAMPLES / source], spec,
                                           options, levels, arguments)
                    if found[0]["verdict"] == "unknown":
                        late.add(levels)
                    results.append((seconds, found[0]))
                row(name, size, results)
    if "handshake" in arguments.families:
        handshake(agon, arguments)


def instructions(command, where):
    """Millions that are executed in a function and what it calls."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
         *([f"--toggle-collect={where}"] if where else []), *command],
        capture_output=True, text=True, check=False)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1]) / 1e6


class Measured:
    """One question on one level."""

    def __init__(self, command):
        self.command = command
        self.result = results_of(command)[0]
        self.milliseconds = math.inf
        self.all_instructions = self.engine_instructions = None

    def run(self):
        before = cpu_seconds()
        run(self.command)
        self.milliseconds = min(self.milliseconds,
                                1000 * (cpu_seconds() - before))

    def count(self):
        self.all_instructions = instructions(self.command, None)
        self.engine_instructions = instructions(self.command, ENGINE)


def shown(value):
    return f"{'-' if value is None else format(value, '.1f'):>7}"


def handshake(agon, arguments):
    files = [EXAMPLES / "client.c", EXAMPLES / "server.c"]
    spec = EXAMPLES / "handshake.agon"
    columns = "".join(f" | {name:^15}" for name in
                      ("states", "CPU ms", "whole 10^6 i", "engine 10^6 i"))
    print(f"{'one | two':<21}{columns}")
    for target in re.findall(r"^verify program (\w+)", spec.read_text(), re.M):
        both = [Measured(command(agon, files, spec, ["--target", target],
                                 levels, arguments))
                for levels in ("one", "two")]
        for _ in range(arguments.repeat):
            for each in both:
                each.run()
        if arguments.instructions:
            for each in both:
                each.count()
        cells = [f"{target:<12}{both[1].result['verdict']:>9}",
                 " ".join(f"{each.result['states']:>7}" for each in both)]
        for measure in ("milliseconds", "all_instructions",
                        "engine_instructions"):
            cells.append(" ".join(shown(getattr(each, measure))
                                  for each in both))
        print(" | ".join(cells), flush=True)


if __name__ == "__main__":
    main()
