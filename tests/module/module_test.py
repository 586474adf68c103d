# SPDX-License-Identifier: Apache-2.0
"""Compares `agon module` with every client of random small modules: whether a
client gets an error, and whether a random process allows what can happen.

module_test.py AGON COUNT SEED
"""

import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import language
import processes


def options(seed):
    """Without routines outside, with, visible to them, and with callbacks."""
    kind = seed % 4
    return {"asks": kind > 0, "visible": kind == 2, "callbacks": kind == 3}


def random_process(seed, module, callbacks):
    """A process that the module may violate; often not, after corrections."""
    rng = random.Random(seed)
    process = processes.Process(rng, module, 2 if callbacks else 4)
    for _ in range(rng.choice([0, 2, 40])):
        if not language.Client(module, callbacks, process).can_fail():
            break
        process.allow(*rng.choice(sorted(process.refused, key=str)))
    return process


def run(agon, path, module, callbacks):
    command = [agon, "module", str(path), "--api", ",".join(module.functions),
               "--spec", str(path.with_suffix(".agon")), "--json", "-",
               "--timeout", "20"]
    if callbacks:
        command.append("--callbacks")
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{command}: exit {done.returncode}\n{done.stderr}\n"
                 f"{path.read_text()}\n{path.with_suffix('.agon').read_text()}")
    return json.loads(done.stdout)["results"]


def replay_dialogue(module, lines):
    """Whether the dialogue can happen: each call has to be able to return what
    it says from some state, and the last one to fail. Without callbacks."""
    client = language.Client(module, False, processes.Errors())
    states = {client.initial}
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


def replay_actions(module, callbacks, process, actions):
    """Whether the module can do this, and the process does not allow it."""
    return language.Client(
        module, callbacks, processes.Word(process, actions)).can_fail()


def compare(result, expected):
    if result["verdict"] == "violated" and not expected:
        return "violated, but there is no such client"
    if result["verdict"] == "holds" and expected:
        return "holds, but there is such a client"
    return None


def check(agon, path, seed):
    """The verdicts about errors and about the process."""
    kind = options(seed)
    callbacks = kind["callbacks"]
    module = language.random_module(seed, kind["asks"], kind["visible"])
    process = random_process(seed, module, callbacks)
    path.write_text(language.to_c(module))
    path.with_suffix(".agon").write_text(process.text())
    errors, conformance = run(agon, path, module, callbacks)
    problem = compare(errors, language.Client(
        module, callbacks, processes.Errors()).can_fail())
    problem = problem or compare(conformance, language.Client(
        module, callbacks, process).can_fail())
    if errors["verdict"] == "violated" and not kind["asks"]:
        said = errors["counterexample"]["dialogue"]
        if not replay_dialogue(module, said):
            problem = "the dialogue cannot happen:\n" + "\n".join(said)
    if conformance["verdict"] == "violated":
        actions = conformance["counterexample"]["actions"]
        if not replay_actions(module, callbacks, process, actions):
            problem = f"the actions cannot happen: {', '.join(actions)}"
    if problem:
        sys.exit(f"seed {seed} ({kind}): {problem}\n{path.read_text()}"
                 f"{process.text()}")
    return {"no error": errors["verdict"], "process": conformance["verdict"]}


def main():
    agon, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    answers = {}
    deep = {"no error": 0, "process": 0}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "module.c"
        for i in range(count):
            each = seed * 1000000 + i
            for spec, verdict in check(agon, path, each).items():
                answers.setdefault(spec, []).append(verdict)
                if verdict == "unknown":
                    deep[spec] += options(each)["callbacks"]
    for spec, all_of_them in answers.items():
        holds, violated, unknown = map(
            all_of_them.count, ("holds", "violated", "unknown"))
        print(f"{spec}: {holds} hold, {violated} violated, {unknown} unknown, "
              f"{deep[spec]} of these with callbacks")
        # Without callbacks everything here is decided.
        if unknown > deep[spec] or unknown > count // 8:
            sys.exit("too many unknown")
        if count >= 40 and min(holds, violated) < count // 8:
            sys.exit("the cases are one-sided")


if __name__ == "__main__":
    main()
