#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what `agon open` costs on the programs of MAGE (Bakewell and Ghica, TACAS
2008, section 5), as tables like its own, next to the seconds printed there (a
laptop of 1.86 GHz). Each is a whole run, in CPU seconds: the least of three.

usage: bench/open.py [--build DIR] [--sizes N,N…]
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile

SIZES = "2,4,8,16,32,64,128,256,512,1024,4096,16384,65536"
SEEDS = range(5)
# Seconds of table 1: push first (oflo, uflo), pop first, random order.
MAGE_PRECISE = {64: (1.57, 2.05, 1.96, 0.05, 1.78, 0.82),
                256: (23.20, 30.44, 28.09, 0.08, 25.57, 7.35),
                512: (96.42, 127.14, 115.73, 0.14, 106.37, 22.91),
                1024: (433.43, 575.56, 525.27, 0.30, 501.02, 189.26)}
# Table 2: seconds and iterations.
MAGE_REFINED = {64: ("3.86 (7)", "0.03 (2)"), 256: ("54.78 (9)", "0.03 (2)"),
                512: ("215.32 (10)", "0.03 (2)"),
                1024: ("864.75 (11)", "0.03 (2)")}
wrong = []


def run(agon, file, *options, times=3):
    """CPU seconds and the result of a question."""
    least = None
    for _ in range(times):
        with tempfile.NamedTemporaryFile() as output:
            pid = os.fork()
            if pid == 0:
                null = os.open(os.devnull, os.O_WRONLY)
                os.dup2(null, 1)
                os.dup2(null, 2)
                os.execv(agon, [agon, "open", file, *options, "--stats",
                                "--json", output.name])
            _, _, usage = os.wait4(pid, 0)
            document = json.loads(pathlib.Path(output.name).read_text())
        seconds = usage.ru_utime + usage.ru_stime
        least = seconds if least is None else min(least, seconds)
    result = document["results"][0]
    result["statistics"] = document["statistics"]
    return least, result


def expect(what, actual, wanted):
    if actual != wanted:
        wrong.append(f"{what}: {actual} instead of {wanted}")


def precise(agon, folder, text, sizes):
    """Table 1: a stack of bits, without approximation."""
    print("\nStack of bits, precise. CPU s; in brackets, those of MAGE.\n")
    print(f"{'size':>6}  {'check(push,pop)':^36}  {'check(pop,push)':^36}  "
          f"{'random order, mean':^36}")
    print(f"{'':>6} " + f" {'oflo':>17} {'uflo':>18}" * 3)
    orders = [text.replace("check(pop,push)", "check(push,pop)"), text]
    for size in sizes:
        cells = []
        for order in orders:
            file = f"{folder}/stack.ia"
            pathlib.Path(file).write_text(order)
            for move in ("oflo", "uflo"):
                seconds, result = run(agon, file, "-D", f"size={size}",
                                      "--never", move, "--precise")
                expect(f"{move} {size}", result["verdict"], "violated")
                cells.append(seconds)
        for move in ("oflo", "uflo"):
            cells.append(statistics.mean(
                run(agon, f"{folder}/stack.ia", "-D", f"size={size}",
                    "--never", move, "--precise", "--order", "random",
                    "--seed", str(seed), times=1)[0] for seed in SEEDS))
        theirs = MAGE_PRECISE.get(size, [None] * 6)
        print(f"{size:>6} " + "".join(
            f" {ours:>8.3f} {'' if mage is None else f'({mage})':>9}"
            for ours, mage in zip(cells, theirs)))


def refined(agon, file, sizes):
    """Table 2: a stack of numbers of 32 bits, with approximation."""
    print("\nStack of 32-bit numbers, approximated and refined. CPU s "
          "(iterations); then MAGE.\n")
    print(f"{'size':>6} {'oflo':>12} {'MAGE':>13} {'uflo':>12} {'MAGE':>10} "
          f"{'moves':>8}")
    for size in sizes:
        cells = []
        for move in ("oflo", "uflo"):
            seconds, result = run(agon, file, "-D", f"size={size}",
                                  "--never", move)
            expect(f"{move} {size}", result["verdict"], "violated")
            cells.append((seconds, result))
        (oflo_s, oflo), (uflo_s, uflo) = cells
        expect(f"iterations of uflo {size}", uflo["iterations"], 2)
        most = size.bit_length()  # log2(size) + 1
        if oflo["iterations"] > most:
            wrong.append(f"oflo {size}: more than {most} iterations")
        theirs = MAGE_REFINED.get(size, ("", ""))
        print(f"{size:>6} {oflo_s:>8.3f} ({oflo['iterations']}) "
              f"{theirs[0]:>13} {uflo_s:>8.3f} ({uflo['iterations']}) "
              f"{theirs[1]:>10} {len(oflo['counterexample']['actions']):>8}")


def others(agon, examples):
    print("\nOther programs of MAGE\n")
    for name, options, verdict in (
            ("array.ia", [], "holds"), ("assertion.ia", [], "holds"),
            ("ages.ia", ["--find", "true"], "holds"),
            ("ages.ia", ["--find", "true", "--precise"], "holds")):
        seconds, result = run(agon, f"{examples}/{name}", *options)
        expect(name, result["verdict"], verdict)
        play = result.get("play") or []
        print(f"{' '.join([name, *options]):<32} {result['verdict']:<9}"
              f"{seconds:>7.3f} s  {result['iterations']:>2} iterations  "
              f"{' '.join(play)}")
    print("\nLoop-free traces of the stack of bits, whole model\n")
    print(f"{'size':>4} {'states':>9} {'traces':>9} "
          f"{'up to bisimilarity':>19} {'10*2^(size-1)-2':>16} {'CPU s':>7}")
    for size in range(1, 12):
        seconds, result = run(agon, f"{examples}/stack.ia", "-D",
                              f"size={size}", "--never", "oflo", "--eager",
                              times=1)
        counted = result["statistics"]
        expected = 10 * 2 ** (size - 1) - 2
        expect(f"traces {size}", counted["open.minimal.traces"], expected)
        print(f"{size:>4} {counted['open.model.states']:>9} "
              f"{counted['open.model.traces']:>9} "
              f"{counted['open.minimal.traces']:>19} {expected:>16} "
              f"{seconds:>7.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--sizes", default=SIZES)
    arguments = parser.parse_args()
    agon = str(pathlib.Path(arguments.build).resolve() / "bin/agon")
    examples = pathlib.Path(__file__).resolve().parent.parent / "examples"
    sizes = [int(size) for size in arguments.sizes.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        precise(agon, folder, (examples / "stack.ia").read_text(), sizes)
    refined(agon, str(examples / "stack32.ia"), sizes)
    others(agon, examples)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
