#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks and prints a table of CPU seconds.

    run.py BUILD_DIRECTORY [NAME_FILTER]
"""

import json
import pathlib
import subprocess
import sys


def measure(program, name_filter):
    """The measurements of one program, in its own order."""
    done = subprocess.run(
        [program, "--benchmark_format=json", "--benchmark_min_time=0.1",
         f"--benchmark_filter={name_filter}"],
        stdout=subprocess.PIPE, check=True)
    # A filter that fits nothing leaves no output at all.
    return json.loads(done.stdout)["benchmarks"] if done.stdout else []


def seconds(entry):
    units = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
    return entry["cpu_time"] * units[entry["time_unit"]]


def counters(entry):
    standard = {"name", "run_name", "run_type", "repetitions", "family_index",
                "per_family_instance_index", "repetition_index", "threads",
                "iterations", "real_time", "cpu_time", "time_unit", "label",
                "error_occurred", "error_message"}
    return ", ".join(f"{key} {value:,.0f}" for key, value in entry.items()
                     if key not in standard and isinstance(value, (int, float)))


def main():
    programs = sorted(pathlib.Path(sys.argv[1], "bin").glob("agon_*_bench"))
    if not programs:
        print("there are no benchmarks; was AGON_BENCH off?", file=sys.stderr)
        return 1
    for program in programs:
        print(f"\n{program.name}")
        print(f"  {'benchmark':<44} {'CPU s':>10}  counters")
        for entry in measure(program, (sys.argv[2:] or ["."])[0]):
            if entry.get("run_type") == "aggregate":
                continue
            if entry.get("error_occurred"):
                print(f"  {entry['name']:<44} {entry['error_message']}")
            else:
                print(f"  {entry['name']:<44} {seconds(entry):>10.4f}"
                      f"  {counters(entry)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
