#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is a certificate right? Decided naively, and without any code of Agon's.

A path of the flat program at a time and a state at a time, Z3 is asked whether
the path can be run from the state and end outside of its listed successors.
Slow, but simple: it tells whether a certificate that was changed and is
accepted all the same is still a proof.
"""

import collections
import functools
import itertools
import json
import re
import subprocess

TOKEN = re.compile(r'\(|\)|\|[^|]*\||"(?:\\.|[^"\\])*"|[^\s()]+')
MOST_PATHS = 400


def parse(text):
    """The S-expressions of a text."""
    stack = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0]


def unquoted(text):
    text = text[1:-1]
    return re.sub(r"\\x([0-9a-f]{2})|\\(.)",
                  lambda m: chr(int(m[1], 16)) if m[1] else m[2], text)


def bare(symbol):
    return symbol[1:-1] if symbol.startswith("|") else symbol


def constant(term):
    """The value of a bit-vector, if it is one."""
    if isinstance(term, str) and term[:2] in ("#x", "#b"):
        return int(term[2:], 16 if term[1] == "x" else 2)
    return int(term[1][2:]) if term[0] == "_" else None


class TooHard(Exception):
    pass


class Program:
    """What `flat_c` prints of a flat program."""

    def __init__(self, text):
        self.sorts, self.objects, self.displays = {}, {}, {}
        self.initial, self.cells, self.edges = {}, [], []
        self.entry = None
        for line in text.splitlines():
            getattr(self, "read_" + line.split(" ", 1)[0].replace("-", "_"),
                    lambda *_: None)(TOKEN.findall(line), line)
        self.width = 64 if "agon-program 1 LP64" in text else 32
        self.out = {}
        for edge in self.edges:
            self.out.setdefault(edge[0], []).append(edge)

    def read_variable(self, tokens, line):
        found = parse(line)
        self.sorts[unquoted(tokens[1])] = found[3]

    def read_object(self, tokens, _):
        words = dict(zip(tokens, tokens[1:]))
        self.objects[unquoted(tokens[1])] = {
            "local": tokens[2] == "local", "size": int(words.get("size", 0)),
            "zeroed": "zeroed" in tokens,
            "array": unquoted(words.get("in", '"memory"')),
            "bytes": (unquoted(words["bytes"]) if "bytes" in words else "")}

    def read_function(self, tokens, _):
        words = dict(zip(tokens, tokens[1:]))
        self.displays[unquoted(tokens[1])] = unquoted(
            words.get("display", tokens[1]))

    def read_initial(self, tokens, line):
        self.initial[unquoted(tokens[1])] = parse(line)[2]

    def read_cell(self, tokens, line):
        self.cells.append((unquoted(tokens[1]), int(tokens[3]),
                           parse(line)[4]))

    def read_automaton(self, tokens, _):
        self.entry = int(tokens[tokens.index("entry") + 1])

    def read_edge(self, _, line):
        words = parse(line)
        start, end, rest = int(words[1]), int(words[2]), words[3:]
        while isinstance(rest[0], str) and rest[0] not in (
                "assign", "assume", "havoc", "call", "return"):
            rest = rest[1:]  # The place.
        self.edges.append((start, end, rest))


class Printer:
    """Terms as SMT-LIB, under names for the values of variables."""

    def __init__(self, program):
        self.program = program
        self.copies = 0
        self.declared = []

    def width(self, term, lets):
        if isinstance(term, str):
            if term in lets:
                return lets[term]
            if term.startswith("#"):
                return len(term[2:]) * (4 if term[1] == "x" else 1)
            sort = self.program.sorts.get(bare(term))
            return int(sort[2]) if sort and sort[0] == "_" else None
        head = term[0]
        if head == "_":
            return int(term[2])
        if head == "let":
            inner = dict(lets)
            for name, value in term[1]:
                inner[name] = self.width(value, lets)
            return self.width(term[2], inner)
        if isinstance(head, list):
            kind = head[1]
            if kind == "extract":
                return int(head[2]) - int(head[3]) + 1
            return int(head[2]) + self.width(term[1], lets)
        if head == "agon.read":
            return 8 * int(term[1])
        if head == "agon.address":
            return int(term[2])
        if head == "concat":
            return sum(self.width(t, lets) for t in term[1:])
        if head == "ite":
            return self.width(term[2], lets)
        return self.width(term[1], lets)

    def index(self, text, k):
        return f"(bvadd {text} (_ bv{k} {self.program.width}))"

    def show(self, term, names, lets=None):
        lets = lets or {}
        again = functools.partial(self.show, names=names, lets=lets)
        if isinstance(term, str):
            return names.get(bare(term), term) if term not in lets else term
        head = term[0]
        if head == "_":
            return f"({' '.join(term)})"
        if head == "let":
            inner = dict(lets)
            shown = []
            for name, value in term[1]:
                inner[name] = self.width(value, lets)
                shown.append(f"({name} {again(value)})")
            body = self.show(term[2], names, inner)
            return f"(let ({' '.join(shown)}) {body})"
        if head == "agon.address":
            return f"|address of {bare(term[1])}|"
        if head == "agon.read":
            array, at = again(term[2]), again(term[3])
            parts = [f"(select {array} {self.index(at, k)})"
                     for k in reversed(range(int(term[1])))]
            return parts[0] if len(parts) == 1 else f"(concat {' '.join(parts)})"
        if head == "agon.write":
            array, at, value = map(again, term[1:4])
            for k in range(self.width(term[3], lets) // 8):
                array = (f"(store {array} {self.index(at, k)} "
                         f"((_ extract {8 * k + 7} {8 * k}) {value}))")
            return array
        if head == "agon.copy":
            return self.copy(term, again)
        if isinstance(head, list):
            operator = f"({' '.join(h if isinstance(h, str) else again(h) for h in head)})"
            if head[0] == "as":
                operator = f"(as const {self.sort(head[2])})"
            return f"({operator} {' '.join(map(again, term[1:]))})"
        return f"({head} {' '.join(map(again, term[1:]))})"

    def copy(self, term, again):
        array, at, source, start = (again(term[i]) for i in (1, 2, 4, 5))
        length = term[3]
        count = constant(length)
        if count is None or count > 64:
            self.copies += 1  # Any array.
            self.declared.append(
                f"(declare-fun any.copy.{self.copies} () (Array (_ BitVec "
                f"{self.program.width}) (_ BitVec 8)))")
            return f"any.copy.{self.copies}"
        for k in range(count):
            array = (f"(store {array} {self.index(at, k)} "
                     f"(select {source} {self.index(start, k)}))")
        return array

    def sort(self, sort):
        return sort if isinstance(sort, str) else (
            f"({' '.join(self.sort(s) for s in sort)})")


class Recheck:
    """One proof of a certificate."""

    def __init__(self, program, aut, proof):
        self.program, self.proof = Program(program), proof
        self.component = proof["components"][0]
        self.spec = Spec(aut)
        self.printer = Printer(self.program)
        self.steps = {}
        for start, label, end in self.component["steps"]:
            self.steps.setdefault(start, []).append((label, end))
        self.predicates = [parse(p["exact"])[0]
                           for p in self.component["predicates"]]
        self.listed = {s["location"] for s in self.component["states"][1:]}
        self.rounds = self.component.get("rounds", 1)
        self.numbers = itertools.count()

    def is_proof(self):
        return self.is_related() and self.is_inductive()

    def is_related(self):
        pairs = [(a[0], frozenset(s)) for a, s in self.proof["relation"]]
        def covered(state, allowed):
            return any(a == state and s and s <= allowed for a, s in pairs)
        if not covered(0, self.spec.after({self.spec.start}, "tau")):
            return False
        return all(s and covered(end, self.spec.after(s, label))
                   for a, s in pairs
                   for label, end in self.steps.get(a, []))

    def is_inductive(self):
        states = self.component["states"]
        if any(end == 0 for _, _, end in self.component["steps"]):
            return False
        if states[0]["literals"] or states[0]["location"] != self.program.entry:
            return False
        queries = []
        for number, state in enumerate(states):
            for path in self.paths(state["location"]):
                queries.append(self.query(number, path))
        return all(answer == "unsat" for answer in self.ask(queries))

    def paths(self, start):
        """Lists of edges up to a listed location, an action or a location that
        was passed too often. That inner loops may start again in each round of
        those around them is left out: programs here have none."""
        found, open_ = [], [([], start)]
        while open_:
            path, at = open_.pop()
            for edge in self.program.out.get(at, []):
                longer = path + [edge]
                passed = collections.Counter([start] + [e[1] for e in path])
                if (edge[2][0] == "call" or edge[1] in self.listed
                        or passed[edge[1]] >= self.rounds):
                    found.append(longer)
                else:
                    open_.append((longer, edge[1]))
            if len(found) + len(open_) > MOST_PATHS:
                raise TooHard
        return found

    def new(self, name, lines):
        sort = self.printer.sort(self.program.sorts[name])
        fresh = f"v{next(self.numbers)}"
        lines.append(f"(declare-fun {fresh} () {sort})")
        return fresh

    def initial_lines(self, names):
        lines = []
        for name, value in self.program.initial.items():
            lines.append(f"(assert (= {names[name]} "
                         f"{self.printer.show(value, names)}))")
        def byte(name, offset, text):
            at = self.printer.index(f"|address of {name}|", offset)
            array = names[self.program.objects[name]["array"]]
            lines.append(f"(assert (= (select {array} {at}) {text}))")
        for name, thing in self.program.objects.items():
            known = {}
            if thing["zeroed"] and thing["size"] <= 64:
                known = {k: "(_ bv0 8)" for k in range(thing["size"])}
            for k, c in enumerate(thing["bytes"]):
                known[k] = f"(_ bv{ord(c)} 8)"
            for owner, offset, value in self.program.cells:
                if owner != name:
                    continue
                shown = self.printer.show(value, names)
                for k in range(self.printer.width(value, {}) // 8):
                    known[offset + k] = (
                        f"((_ extract {8 * k + 7} {8 * k}) {shown})")
            for k, text in known.items():
                byte(name, k, text)
        return lines

    def cube(self, state, names):
        literals = []
        for literal in self.component["states"][state]["literals"]:
            shown = self.printer.show(self.predicates[abs(literal) - 1], names)
            literals.append(shown if literal > 0 else f"(not {shown})")
        return f"(and true {' '.join(literals)})"

    def query(self, number, path):
        lines = []
        names = {name: self.new(name, lines) for name in self.program.sorts}
        if number == 0:
            lines += self.initial_lines(names)
        lines.append(f"(assert {self.cube(number, names)})")
        label = "tau"
        for _, _, statement in path:
            kind = statement[0]
            if kind == "assign":
                name = unquoted(statement[1])
                value = self.printer.show(statement[2], names)
                names = {**names, name: self.new(name, lines)}
                lines.append(f"(assert (= {names[name]} {value}))")
            elif kind == "havoc":
                name = unquoted(statement[1])
                names = {**names, name: self.new(name, lines)}
            elif kind == "assume":
                lines.append(
                    f"(assert {self.printer.show(statement[1], names)})")
            elif kind == "call":
                label = self.program.displays[unquoted(statement[1])]
        end = path[-1][1]
        inside = [self.cube(b, names) for l, b in self.steps.get(number, [])
                  if l == label
                  and self.component["states"][b]["location"] == end]
        lines.append(f"(assert (not (or false {' '.join(inside)})))")
        lines[:0] = self.printer.declared
        self.printer.declared = []
        return lines

    def layout(self):
        width = self.program.width
        lines, end = [], f"(_ bv16 {width})"
        order = sorted(self.program.objects.items(),
                       key=lambda item: item[1]["local"])
        for name, thing in order:
            address = f"|address of {name}|"
            lines.append(f"(declare-fun {address} () (_ BitVec {width}))")
            lines.append(f"(assert (bvule {end} {address}))")
            end = f"(bvadd {address} (_ bv{max(thing['size'], 1)} {width}))"
            lines.append(f"(assert (bvult {address} {end}))")
        # Below the memory of a module's client if they are small.
        small = sum(o["size"] + 1 for o in self.program.objects.values()) < (
            1 << (width - 4))
        last = 1 << (width - 3 if small else width - 2)
        lines.append(f"(assert (bvult {end} (_ bv{last} {width})))")
        # Functions are different ones, and none is null.
        functions = [f"|address of {name}|" for name in self.program.displays]
        for function in functions:
            lines.append(f"(declare-fun {function} () (_ BitVec {width}))")
        lines.append(f"(assert (distinct (_ bv0 {width}) "
                     f"{' '.join(functions)}))")
        return lines

    def ask(self, queries):
        script = self.layout()
        for lines in queries:
            script += ["(push 1)", *lines, "(check-sat)", "(pop 1)"]
        done = subprocess.run(["z3", "-in", "-t:20000"], text=True,
                              input="\n".join(script), capture_output=True)
        answers = done.stdout.split()
        if any(a not in ("sat", "unsat") for a in answers):
            raise TooHard(done.stdout[:500])
        return answers


class Spec:
    """A system in .aut."""

    def __init__(self, aut):
        header, *lines = aut.strip().splitlines()
        self.start = int(re.match(r"des\s*\((\d+)", header)[1])
        self.out = {}
        for line in lines:
            found = re.match(r'\((\d+),\s*"?(.*?)"?,\s*(\d+)\)$', line)
            label = "tau" if found[2] in ("i", "tau") else found[2]
            self.out.setdefault(int(found[1]), []).append(
                (label, int(found[3])))

    def silently(self, states):
        states, open_ = set(states), list(states)
        while open_:
            for label, end in self.out.get(open_.pop(), []):
                if label == "tau" and end not in states:
                    states.add(end)
                    open_.append(end)
        return states

    def after(self, states, label):
        states = self.silently(states)
        if label == "tau":
            return states
        return self.silently({end for s in states
                              for l, end in self.out.get(s, []) if l == label})


def is_proof(flat, certificate):
    """Whether every proof of a certificate is one. `flat` is what flat_c has
    printed for it. Raises TooHard where it cannot tell."""
    parts = json.loads(flat)
    return all(Recheck(part["program"], part["spec"], proof).is_proof()
               for part, proof in zip(parts, certificate["proofs"],
                                      strict=True))
