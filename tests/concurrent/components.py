# SPDX-License-Identifier: Apache-2.0
"""Random components: as C, and as the transition system that they are.

A component has two variables with values from 0 to 3. What it does to them is
executed here value by value, so that its system is exact. Inputs of the C code
are internal choices; what a described routine offers is a choice that its
environment takes part in.
"""

ACTIONS = ["a", "b", "c", "d"]
TAU = "tau"
ENDLESS = ("x", "<", 4)
STOPPED = "stopped"   # Waits for nothing, for ever.
ENDED = "ended"       # Has returned, or exited.

# Described routines: name, and for each way its action (None: silent) and the
# value returned (None: it does not return).
ROUTINES = {
    "do_a": [("a", 0)], "do_b": [("b", 0)],
    "do_c": [("c", 0)], "do_d": [("d", 0)],
    "a_or_b": [("a", 0), ("b", 1)],
    "b_or_c": [("b", 0), ("c", 1)],
    "c_or_d": [("c", 2), ("d", 3)],
    "maybe_a": [("a", 1), (None, 0)],
    "maybe_c": [(None, 3), ("c", 0)],
    "any": [(None, 1), (None, 2)],
    "last_b": [("b", None)],
    "a_or_last": [("a", 1), ("d", None)],
    "exit": None,
}


def described():
    """The routines as lines of a specification."""
    lines = []
    for name, ways in ROUTINES.items():
        if ways is None:
            continue
        parts = []
        for action, value in ways:
            end = "STOP" if value is None else f"return[{value}] -> STOP"
            parts.append(f"{action} -> {end}" if action else end)
        lines.append(f"assume int {name}(void) : ({' | '.join(parts)});")
    return "\n".join(lines)


class Component:
    """A procedure `name(int x)`, called with x in `starts`."""

    def __init__(self, name, random):
        self.name = name
        self.random = random
        self.starts = sorted(random.sample(range(4), random.choice([1, 1, 2])))
        self.code = []        # (kind, ...), targets are indices into it.
        self.lines = []
        self.depth = 1
        self.size = 0
        self.block(random.randint(2, 5))
        if random.random() < 0.4:
            value = random.randint(0, 2)
            self.emit(f"return {value};", ("return", value))
        else:
            self.emit("return x;", ("return", "x"))
        self.alphabet = self.mentioned()

    # Writing.

    def emit(self, text, instruction=None):
        self.lines.append("    " * self.depth + text)
        if instruction is not None:
            self.code.append(instruction)

    def block(self, count):
        for _ in range(count):
            self.statement()

    def statement(self):
        self.size += 1
        draw = self.random.random()
        if draw < 0.42 or self.depth > 3 or self.size > 14:
            self.call()
        elif draw < 0.57:
            self.assign()
        elif draw < 0.64:
            target = self.random.choice("xy")
            self.emit(f"{target} = __VERIFIER_nondet_int() & 1;",
                      ("input", target))
        elif draw < 0.84:
            self.branch()
        else:
            self.loop()

    def call(self):
        usual = ["do_a", "do_b", "do_c", "do_d"]
        rare = [name for name in ROUTINES if name not in usual]
        name = self.random.choice(
            usual if self.random.random() < 0.6 else rare)
        if name == "exit":
            if self.random.random() < 0.5:
                self.emit("exit(0);", ("exit",))
            else:
                self.emit("do_a();", ("call", "do_a", None))
            return
        target = self.random.choice(["x", "y", None])
        self.emit(f"{target} = {name}();" if target else f"{name}();",
                  ("call", name, target))

    def assign(self):
        target = self.random.choice("xy")
        other = self.random.choice("xy")
        number = self.random.randint(0, 3)
        kind = self.random.choice(["constant", "sum", "copy"])
        text = {"constant": f"{number}", "sum": f"({other} + {number}) & 3",
                "copy": other}[kind]
        self.emit(f"{target} = {text};", ("assign", target, kind, other, number))

    def condition(self):
        return (self.random.choice("xy"), self.random.choice(["==", "<", "!="]),
                self.random.randint(0, 3))

    def branch(self):
        left, sign, number = condition = self.condition()
        self.emit(f"if ({left} {sign} {number}) {{", ("branch", condition, None))
        at = len(self.code) - 1
        self.depth += 1
        self.block(self.random.randint(1, 2))
        self.depth -= 1
        if self.random.random() < 0.5:
            self.emit("}")
            self.code[at] = ("branch", condition, len(self.code))
            return
        self.emit("} else {", ("jump", None))
        jump = len(self.code) - 1
        self.code[at] = ("branch", condition, len(self.code))
        self.depth += 1
        self.block(self.random.randint(1, 2))
        self.depth -= 1
        self.emit("}")
        self.code[jump] = ("jump", len(self.code))

    def loop(self):
        is_endless = self.random.random() < 0.3
        condition = ENDLESS if is_endless else self.condition()
        left, sign, number = condition
        head = len(self.code)
        self.emit("for (;;) {" if is_endless
                  else f"while ({left} {sign} {number}) {{",
                  ("branch", condition, None))
        self.depth += 1
        self.block(self.random.randint(1, 3))
        self.depth -= 1
        self.emit("}", ("jump", head))
        self.code[head] = ("branch", condition, len(self.code))

    def text(self):
        return (f"int {self.name}(int x) {{\n    int y = 0;\n"
                + "\n".join(self.lines) + "\n}\n")

    def guard(self):
        return " || ".join(f"x == {value}" for value in self.starts)

    def mentioned(self):
        """The actions of all code that some way leads to, possible or not."""
        labels = set()
        seen = {0}
        open_ = [0]
        for at in open_:
            kind, *rest = self.code[at]
            then = [at + 1]
            if kind == "jump":
                then = rest
            elif kind == "branch":
                then = [at + 1] if rest[0] == ENDLESS else [at + 1, rest[1]]
            elif kind in ("return", "exit"):
                then = []
            elif kind == "call":
                labels |= {action for action, _ in ROUTINES[rest[0]] if action}
            open_ += [to for to in then if to not in seen]
            seen |= set(then)
        return labels

    # Executing.

    def steps(self, state):
        """Labels and successors; a rest state has none."""
        if state in (STOPPED, ENDED):
            return []
        if state == "start":
            return [(TAU, (0, value, 0)) for value in self.starts]
        at, x, y = state
        kind, *rest = self.code[at]
        here = {"x": x, "y": y}

        def go(to, **changes):
            new = {**here, **changes}
            return (to, new["x"], new["y"])
        if kind == "jump":
            return [(TAU, go(rest[0]))]
        if kind == "assign":
            target, how, other, number = rest
            value = {"constant": number, "sum": (here[other] + number) & 3,
                     "copy": here[other]}[how]
            return [(TAU, go(at + 1, **{target: value}))]
        if kind == "input":
            return [(TAU, go(at + 1, **{rest[0]: value})) for value in (0, 1)]
        if kind == "branch":
            (left, sign, number), otherwise = rest
            holds = {"==": here[left] == number, "<": here[left] < number,
                     "!=": here[left] != number}[sign]
            return [(TAU, go(at + 1 if holds else otherwise))]
        if kind == "call":
            name, target = rest
            found = []
            for action, value in ROUTINES[name]:
                to = STOPPED if value is None else go(
                    at + 1, **({target: value} if target else {}))
                found.append((action or TAU, to))
            return found
        if kind == "exit":
            return [(TAU, ENDED)]
        value = here["x"] if rest[0] == "x" else rest[0]
        return [(f"return[{value}]", ENDED)]

    def system(self):
        """All states that can be reached, with their steps; 0 is the start."""
        numbers = {"start": 0}
        order = ["start"]
        rows = []
        for state in order:
            row = []
            for label, to in self.steps(state):
                if to not in numbers:
                    numbers[to] = len(order)
                    order.append(to)
                row.append((label, numbers[to]))
            rows.append(row)
        return shortened(rows, [state == ENDED for state in order])


def shortened(rows, ended):
    """Passes over states that do nothing but one silent step."""
    def follow(state):
        seen = set()
        while (len(rows[state]) == 1 and rows[state][0][0] == TAU
               and state not in seen):
            seen.add(state)
            state = rows[state][0][1]
        return state
    new_rows = [sorted({(label, follow(to)) for label, to in row})
                for row in rows]
    return follow(0), new_rows, ended
