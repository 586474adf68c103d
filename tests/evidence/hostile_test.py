#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gives `agon replay` results that are damaged or meant to do harm.

    hostile_test.py AGON EXAMPLES COUNT SEED

What is not a result gets exit code 2 and a message. COUNT random mutations of a
good one must never end in an internal error, a signal or no end, and what they
print must not show the contents of a file that lies elsewhere.
AGON_TEST_SCALE multiplies COUNT.
"""

import copy
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

SECRET = "do_not_show_this_text"


class Test:
    def __init__(self, agon, folder, good):
        self.agon = agon
        self.folder = folder
        self.good = good
        self.failed = 0

    def replay(self, text):
        path = self.folder / "hostile.json"
        path.write_text(text) if isinstance(text, str) else path.write_bytes(
            text)
        try:
            done = subprocess.run(
                [self.agon, "replay", "hostile.json", "--memory", "2000"],
                cwd=self.folder, capture_output=True, timeout=60)
        except subprocess.TimeoutExpired:
            return -100, "no end"
        return done.returncode, (done.stdout + done.stderr).decode(
            errors="replace")

    def expect(self, name, text, codes=(2,)):
        code, output = self.replay(text)
        if code not in codes or SECRET in output or not output.strip():
            self.failed += 1
            print(f"FAILED {name}: exit code {code}: {output[:500]}")

    def changed(self, change):
        document = copy.deepcopy(self.good)
        change(document)
        return json.dumps(document)

    def execution(self, document):
        """What was recorded: of one procedure, or of several components."""
        found = next(r["counterexample"] for r in document["results"]
                     if r["verdict"] == "violated")
        return found.get("recording") or found["interleaving"]

    def recording(self, document):
        execution = self.execution(document)
        return execution.get("components", [execution])[0]

    def fixed_cases(self, secret):
        expect = self.expect
        expect("empty", "")
        expect("no JSON", "{\"command\": ")
        expect("binary", bytes(range(256)))
        expect("deep", "[" * 1_000_000)
        expect("deep and closed", "[" * 5000 + "]" * 5000)
        expect("a list", "[]")
        expect("a number", "1e999999")
        expect("no results", "{\"command\": \"check\"}")
        expect("zero byte", self.changed(
            lambda d: d["inputs"]["files"][0].update(name="a\0b")))
        for key in ("command", "inputs", "results"):
            expect(f"without {key}", self.changed(lambda d: d.pop(key)))
        for key in ("entry", "program_sha256", "actions"):
            expect(f"recording without {key}", self.changed(
                lambda d: self.recording(d).pop(key)))
        expect("another file", self.changed(
            lambda d: d["inputs"]["files"][0].update(name=str(secret))))
        expect("a way out", self.changed(
            lambda d: d["inputs"]["files"][0].update(
                name=os.path.relpath(secret, self.folder))))
        expect("an include elsewhere", self.changed(
            lambda d: d["inputs"]["arguments"].extend(
                ["-include", str(secret)])))
        expect("an include elsewhere, joined", self.changed(
            lambda d: d["inputs"]["arguments"].append(f"-include{secret}")))
        expect("a plugin", self.changed(
            lambda d: d["inputs"]["arguments"].extend(
                ["-Xclang", "-load", "-Xclang", "x.so"])))
        expect("compile commands", self.changed(
            lambda d: d["inputs"].update(build_directory=str(secret.parent))))
        expect("a changed digest", self.changed(
            lambda d: d["inputs"]["files"][0].update(sha256="0" * 64)))
        expect("another program", self.changed(
            lambda d: self.recording(d).update(program_sha256="0" * 64)))
        expect("another command", self.changed(
            lambda d: d.update(command="lts compare")))
        for bad in ("-1", "1e5", "9" * 1000, "", "0x10", 5, None, {}):
            expect(f"the number {bad!r}", self.changed(
                lambda d: self.recording(d).update(
                    initial=[{"name": "n", "value": bad}])))
        for bad in ("0x" + "f" * 17, "12", "0x", "0xg", 7):
            expect(f"the address {bad!r}", self.changed(
                lambda d: self.recording(d).update(
                    memory=[{"address": bad, "bytes": "00"}])))
        for bad in ("0", "0g", 1):
            expect(f"the bytes {bad!r}", self.changed(
                lambda d: self.recording(d).update(
                    memory=[{"address": "0x10", "bytes": bad}])))
        source = self.folder / self.good["inputs"]["files"][0]["name"]
        text = source.read_text()
        source.write_text(text + "\n")
        expect("a changed file", json.dumps(self.good))
        source.write_text(text)

    def interleaving_cases(self):
        """What only an interleaving has."""
        def change(how):
            return self.changed(lambda d: how(self.execution(d)))
        expect = self.expect
        expect("no components", change(lambda e: e.update(components=[])))
        expect("too few", change(lambda e: e["components"].pop()))
        expect("too many", change(
            lambda e: e["components"].append(e["components"][0])))
        expect("another entry", change(
            lambda e: e["components"][0].update(entry="main")))
        expect("any start", change(lambda e: e["components"][0].update(
            any_state=not e["components"][0]["any_state"])))
        expect("events of no kind", change(lambda e: e.update(events=[7])))
        # What can be run and is no violation.
        expect("no events", change(lambda e: e.update(events=[])), (3,))
        expect("an event that nobody knows", change(
            lambda e: e["events"].insert(0, "x")), (3,))
        expect("another event", change(
            lambda e: e["events"].__setitem__(0, "a.leave")), (3,))
        expect("one event less", change(lambda e: e["events"].pop()), (3,))
        expect("one twice", change(
            lambda e: e["events"].append(e["events"][-1])), (3,))

    def mutations(self, count, seed):
        rng = random.Random(seed)
        for number in range(count):
            if number % 3 == 0:
                text = bytearray(json.dumps(self.good).encode())
                for _ in range(rng.randint(1, 4)):
                    text[rng.randrange(len(text))] = rng.choice(
                        b"\"{}[]:,0123456789abc\\\xff\0 ")
                text = bytes(text)
            else:
                document = copy.deepcopy(self.good)
                execution = self.execution(document)
                for _ in range(rng.randint(1, 3)):
                    self.mutate(rng, execution
                                if rng.random() < 0.7 else document)
                text = json.dumps(document)
            self.expect(f"mutation {seed}/{number}", text, (1, 2, 3))

    def mutate(self, rng, node):
        """Changes something below a node."""
        while True:
            keys = (list(node) if isinstance(node, dict)
                    else list(range(len(node))))
            if not keys:
                return
            key = rng.choice(keys)
            if isinstance(node[key], (dict, list)) and rng.random() < 0.85:
                node = node[key]
                continue
            how = rng.randrange(4)
            if how == 0:
                del node[key]
            elif how == 1:
                node[key] = rng.choice(
                    [None, 0, -1, 2**70, "", "x", [], {}, True, "0x7",
                     "340282366920938463463374607431768211455", 1.5])
            elif how == 2 and isinstance(node, list):
                node.insert(key, copy.deepcopy(node[key]))
            elif isinstance(node[key], str) and node[key].isdigit():
                node[key] = str(rng.randrange(2**rng.randint(1, 64)))
            else:
                node[key] = copy.deepcopy(node[rng.choice(keys)])
            return


def make(agon, folder, examples, source, spec, *options):
    """The result of a run whose first violation is recorded."""
    for file in (source, spec):
        shutil.copy(pathlib.Path(examples) / file, folder)
    subprocess.run([agon, "check", source, "--spec", spec, *options, "--json",
                    "good.json"], cwd=folder, timeout=60,
                   stdout=subprocess.DEVNULL)
    return json.loads((folder / "good.json").read_text())


def main(agon, examples, count, seed):
    agon = str(pathlib.Path(agon).resolve())
    count = round(int(count) * float(os.environ.get("AGON_TEST_SCALE", "1")))
    failed = 0
    with tempfile.TemporaryDirectory(prefix="agon-hostile-") as name:
        base = pathlib.Path(name)
        folder = base / "here"
        folder.mkdir()
        secret = base / "secret.c"
        secret.write_text(f"{SECRET} {SECRET}\n")
        for words in (["disk_bug.c", "disk.agon"],
                      ["ring.c", "ring.agon", "--target", "TwoTokens"]):
            test = Test(agon, folder, make(agon, folder, examples, *words))
            test.expect("the good one", json.dumps(test.good), (1,))
            test.fixed_cases(secret)
            if "components" in test.execution(test.good):
                test.interleaving_cases()
            test.mutations(count // 2, int(seed))
            failed += test.failed
    print(f"{failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
