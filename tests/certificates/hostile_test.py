#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gives agon-certify certificates that are damaged or meant to do harm.

    hostile_test.py BIN COUNT SEED

What is not a certificate gets exit code 2 and a message, what proves nothing exit
code 1; soon, and with bounded memory. COUNT random mutations of the text of a
good one must never end in an internal error, a signal or no end, and must not be
accepted unless they say the same. AGON_TEST_SCALE multiplies COUNT.
"""

import copy
import gzip
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import zlib

BIN = pathlib.Path(sys.argv[1])
SECONDS = 10
MEGABYTES = 3000
PROGRAM = """
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0;
  while (__VERIFIER_nondet_int()) {
    if (x > 1) reach_error();
    x = 1 - x;
  }
  return 0;
}
"""


def limit():
    size = MEGABYTES << 20
    resource.setrlimit(resource.RLIMIT_AS, (size, size))


class Test:
    def __init__(self, folder):
        self.folder = folder
        (folder / "p.c").write_text(PROGRAM)
        subprocess.run([BIN / "agon", "reach", "p.c", "--certificate",
                        "good.json"], cwd=folder, stdout=subprocess.DEVNULL)
        self.good = json.loads((folder / "good.json").read_text())
        self.failed = 0

    def judge(self, text):
        path = self.folder / "hostile.json"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        try:
            done = subprocess.run(
                [BIN / "agon-certify", "hostile.json", "p.c"], cwd=self.folder,
                capture_output=True, timeout=SECONDS, preexec_fn=limit)
        except subprocess.TimeoutExpired:
            return -100, "no end"
        return done.returncode, (done.stdout + done.stderr).decode(
            errors="replace")

    def expect(self, name, text, codes=(2,)):
        code, output = self.judge(text)
        if code not in codes or not output.strip() or len(output) > 20000:
            self.failed += 1
            print(f"FAILED {name}: exit code {code}: {output[:300]}")

    def changed(self, change):
        document = copy.deepcopy(self.good)
        change(document, document["proofs"][0],
               document["proofs"][0]["components"][0])
        return json.dumps(document)

    def texts(self):
        """What is no certificate at all."""
        good = json.dumps(self.good)
        packed = gzip.compress(good.encode())
        yield "empty", ""
        yield "binary", bytes(range(256))
        yield "cut off", good[:len(good) // 2]
        yield "deep", "[" * 1_000_000
        yield "deep and closed", "[" * 5000 + "]" * 5000
        yield "a list", "[]"
        yield "null", "null"
        yield "a large number", "1e999999"
        yield "many digits", '{"agon_certificate": ' + "9" * 1_000_000 + "}"
        yield "a key twice", good[:-1] + ', "proofs": []}'
        yield "a key twice, inside", good.replace('"arm": 0',
                                                  '"arm": 0, "arm": 0', 1)
        yield "more behind it", good + "{}"
        yield "a zero byte", good + "\0"
        yield "gzip cut off", packed[:-20]
        yield "gzip without end", packed[:20]
        yield "gzip, damaged", packed[:40] + b"\0\0\0\0" + packed[44:]
        yield "gzip with more behind it", packed + b"x"
        yield "gzip in gzip", gzip.compress(packed)
        yield "many zeros", gzip.compress(bytes(1 << 29))
        yield "many numbers", gzip.compress(
            b'{"agon_certificate": 1, "proofs": [' + b"0," * (1 << 27) + b"0]}")
        yield "many keys", gzip.compress(b"{" + b",".join(
            b'"%d":0' % k for k in range(1 << 22)) + b"}")

    def documents(self):
        """What has values that it must not have."""
        bad = [None, -1, 2**32, 2**64, 2**200, 1.5, "0", [], {}, True]
        for value in bad:
            for key in ("agon_certificate", "proofs", "sources", "command"):
                if value in ([], True) or (key, value) == ("command", "0"):
                    continue
                yield f"{key} {value!r}", self.changed(
                    lambda d, p, c: d.update({key: value}))
            if value != {} and value is not True:
                yield f"location {value!r}", self.changed(
                    lambda d, p, c: c["states"][1].update(location=value))
            if value != -1:
                yield f"literal {value!r}", self.changed(
                    lambda d, p, c: c["states"][1].update(literals=[value]))
            yield f"rounds {value!r}", self.changed(
                lambda d, p, c: c.update(rounds=value))
            yield f"step {value!r}", self.changed(
                lambda d, p, c: c["steps"][0].__setitem__(0, value))
            yield f"pair {value!r}", self.changed(
                lambda d, p, c: p["relation"].append(value))
        yield "another version", self.changed(
            lambda d, p, c: d.update(agon_certificate=2))
        yield "another key", self.changed(lambda d, p, c: d.update(x=1))
        yield "no states", self.changed(lambda d, p, c: c.update(states=[]))
        for key in self.good:
            yield f"without {key}", self.changed(lambda d, p, c: d.pop(key))
        for text in ("", "(", ")", "x", "(= x y)", "((", "(not", "(_ bv1 0)",
                     "(not " * 100_000 + "true" + ")" * 100_000,
                     "(= (_ bv1 4294967295) (_ bv1 4294967295))",
                     "((_ extract 99999999999999999999 0) x)",
                     "((_ zero_extend 4000000000) x)",
                     "(let ((a a)) a)", "(let ((a true) (b a)) b)",
                     "(agon.read 4000000000 memory x)", "\0", "|", "(|x", "#x",
                     "#b2", "(= #x00 " + "#x" + "0" * 100_000 + ")"):
            yield f"predicate {text[:40]}", self.changed(
                lambda d, p, c: c["predicates"][0].update(exact=text))

    def claims(self):
        """What is a certificate of something else."""
        yield "another file", self.changed(
            lambda d, p, c: d["sources"][0].update(file="../../etc/passwd",
                                                   sha256="0" * 64))
        yield "another command", self.changed(
            lambda d, p, c: d.update(command="module; rm x"))
        yield "no proof", self.changed(lambda d, p, c: d.update(proofs=[]))
        yield "a far location", self.changed(
            lambda d, p, c: c["states"][1].update(location=2**32 - 1))
        yield "many states of the specification", self.changed(
            lambda d, p, c: p.update(specification_states=2**32 - 1))
        yield "another target", self.changed(
            lambda d, p, c: p.update(target="\x1b[31mmain"))
        yield "no component", self.changed(
            lambda d, p, c: p.update(components=[], relation=[]))
        yield "many components", self.changed(
            lambda d, p, c: p.update(components=[c] * 1000, relation=[]))
        yield "a cycle of states", self.changed(
            lambda d, p, c: c.update(steps=[[k, "tau", k] for k in range(
                1, len(c["states"]))]))
        yield "a loop without end", self.changed(
            lambda d, p, c: (c.update(states=c["states"][:1], steps=[],
                                      rounds=2**32 - 1),
                             p.update(relation=[[[0], [0]]])))
        yield "a negated literal", self.changed(
            lambda d, p, c: c["states"][1].update(literals=[-1]))

    def fixed_cases(self):
        for name, text in self.texts():
            self.expect(name, text)
        for name, text in self.documents():
            self.expect(name, text, (1, 2) if "predicate" in name else (2,))
        for name, text in self.claims():
            self.expect(name, text, (1, 2))

    def mutations(self, count, seed):
        rng = random.Random(seed)
        for number in range(count):
            text = bytearray(json.dumps(self.good).encode())
            for _ in range(rng.randint(1, 4)):
                text[rng.randrange(len(text))] = rng.choice(
                    b"\"{}[]():,0123456789abcx-\\\xff\0 |#")
            if rng.random() < 0.2:
                text = bytearray(gzip.compress(bytes(text)))
                text[rng.randrange(len(text))] ^= 1 << rng.randrange(8)
            self.expect(f"mutation {seed}/{number}", bytes(text),
                        (0, 1, 2) if self.says_the_same(text) else (1, 2))

    def says_the_same(self, text):
        """Assumptions and the version of Agon are only told, and of the errors
        only one is declared in the program."""
        try:
            if text[:2] == b"\x1f\x8b":
                text = gzip.decompress(bytes(text))
            document = json.loads(bytes(text))
            for side in (document, other := copy.deepcopy(self.good)):
                side.update(agon="")
                for proof in side["proofs"]:
                    proof.update(assumptions=[],
                                 errors="reach_error" in proof["errors"])
                for file in side["sources"]:
                    file.update(file="")
            return document == other
        except (ValueError, KeyError, TypeError, AttributeError, OSError,
                EOFError, zlib.error):
            return False


def main():
    count = round(int(sys.argv[2]) *
                  float(os.environ.get("AGON_TEST_SCALE", "1")))
    with tempfile.TemporaryDirectory(prefix="agon-hostile-") as folder:
        test = Test(pathlib.Path(folder))
        test.expect("the good one", json.dumps(test.good), (0,))
        test.fixed_cases()
        test.mutations(count, int(sys.argv[3]))
    print(f"{test.failed} failed")
    return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main())
