# SPDX-License-Identifier: Apache-2.0
"""Compares `agon module` with every client of random small modules.

module_test.py AGON COUNT SEED
"""

import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import language


def options(seed):
    """Without routines outside, with, visible to them, and with callbacks."""
    kind = seed % 4
    return {"asks": kind > 0, "visible": kind == 2, "callbacks": kind == 3}


def run(agon, path, module, callbacks, extra=()):
    command = [agon, "module", str(path), "--api", ",".join(module.functions),
               "--json", "-", "--timeout", "20", *extra]
    if callbacks:
        command.append("--callbacks")
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{command}: exit {done.returncode}\n{done.stderr}")
    return done.returncode, json.loads(done.stdout)


def replay(module, lines):
    """Whether the dialogue can happen: each call has to be able to return what
    it says from some state, and the last one to fail. Without callbacks."""
    client = language.Client(module, callbacks=False)
    states = {module.initial}
    for call, answer in zip(lines[::2], lines[1::2]):
        name, given = call.removeprefix("client: ").rstrip(")").split("(")
        states = step(client, states, name, given, answer)
        if states is None:
            return answer.startswith("module: error")
    return False


def step(client, states, name, given, answer):
    """The states after the answer; None if the call can fail and did."""
    values = [None if g == "_" else int(g) & 3
              for g in given.split(", ") if g]
    result = set()
    for state in states:
        for chosen in itertools.product(
                *[range(4) if v is None else [v] for v in values]):
            returned, fails = client.call(state, name, chosen)
            if fails and answer.startswith("module: error"):
                return None
            said = answer.removeprefix("module: returns ")
            result |= {end for end, got in returned
                       if said in ("_", str(got))}
    return result


def check(agon, path, seed):
    kind = options(seed)
    module = language.random_module(seed, kind["asks"], kind["visible"])
    path.write_text(language.to_c(module))
    expected = language.Client(module, kind["callbacks"]).can_fail()
    code, report = run(agon, path, module, kind["callbacks"])
    problem = None
    if code == 1 and not expected:
        problem = "violated, but no client gets an error"
    if code == 0 and expected:
        problem = "holds, but some client gets an error"
    if code == 1 and not kind["asks"]:
        said = report["results"][0]["counterexample"]["dialogue"]
        if not replay(module, said):
            problem = "the dialogue cannot happen:\n" + "\n".join(said)
    if problem:
        sys.exit(f"seed {seed} ({kind}): {problem}\n{path.read_text()}")
    return code, expected, kind["callbacks"]


def main():
    agon, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    answers = {0: 0, 1: 0, 3: 0}
    deep = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "module.c"
        for i in range(count):
            code, _, callbacks = check(agon, path, seed * 1000000 + i)
            answers[code] += 1
            if code == 3:
                deep += callbacks
    print(f"{answers[0]} hold, {answers[1]} violated, {answers[3]} unknown, "
          f"{deep} of these with callbacks")
    # Without callbacks everything here is decided.
    if answers[3] > deep or deep > count // 8:
        sys.exit("too many unknown")
    if count >= 40 and min(answers[0], answers[1]) < count // 8:
        sys.exit("the cases are one-sided")


if __name__ == "__main__":
    main()
