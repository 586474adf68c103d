# SPDX-License-Identifier: Apache-2.0
"""Families of C programs for conformance.py. Each function writes the program of
a size into a folder, and returns the arguments for agon, which has to find that
the program is right."""

import pathlib


def locks(count, folder):
    """A loop that takes some of `count` locks and gives back the same ones."""
    lines = ["extern int choose(void);", "extern void reach_error(void);",
             "int main(void) {"]
    for i in range(count):
        lines.append(f"  int wanted{i} = choose(), held{i};")
    lines.append("  while (choose()) {")
    for i in range(count):
        lines.append(f"    held{i} = 0;")
    for i in range(count):
        lines.append(f"    if (wanted{i}) held{i} = 1;")
    for i in range(count):
        lines += [f"    if (wanted{i}) {{",
                  f"      if (!held{i}) reach_error();",
                  f"      held{i} = 0;", "    }"]
    lines += ["  }", "  return 0;", "}", ""]
    path = pathlib.Path(folder, "locks.c")
    path.write_text("\n".join(lines))
    return ["reach", str(path)]


def handshake(count, folder):
    """A state machine that sends `count` messages in order. Each can fail or has
    to be tried again; every fifth is sent only in a session that is new."""
    optional = [i % 5 == 4 for i in range(count)]
    lines = ["struct connection { int state; int resumed; };"]
    lines += [f"extern int send{i}(struct connection *c);"
              for i in range(count)]
    lines += ["int handshake(struct connection *c) {", "  int result, next;",
              "  for (;;) {", "    switch (c->state) {"]
    for i in range(count):
        send = f"send{i}(c)"
        if optional[i]:
            send = f"c->resumed ? 1 : {send}"
        lines += [f"      case {i}:", f"        result = {send};",
                  f"        next = {i + 1};", "        break;"]
    lines += [f"      case {count}:", "        return 1;", "      default:",
              "        return -1;", "    }", "    if (result == 0) return 0;",
              "    if (result < 0) return -1;", "    c->state = next;", "  }",
              "}", ""]
    program = pathlib.Path(folder, "handshake.c")
    program.write_text("\n".join(lines))

    lines = [f"assume int send{i}(struct connection *c) : "
             f"(m{i} -> return[1] -> STOP | return[-1..0] -> STOP);"
             for i in range(count)]
    states = []
    for i in range(count):
        moves = f"m{i} -> S{i + 1}"
        if optional[i]:
            after = f"m{i + 1} -> S{i + 2}" if i + 1 < count else \
                "return[1] -> STOP"
            moves += f" | {after}"
        states.append(f"S{i} = ({moves} | return[-1..0] -> STOP)")
    states.append(f"S{count} = (return[1] -> STOP)")
    lines.append(",\n".join(states).replace("S0 = ", "Order = ", 1) + ".")
    lines += ["verify int handshake(struct connection *c) "
              "when (c->state == 0) : Order;", ""]
    spec = pathlib.Path(folder, "handshake.agon")
    spec.write_text("\n".join(lines))
    return ["check", str(program), "--spec", str(spec)]
