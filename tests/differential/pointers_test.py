#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs random programs that keep pointers everywhere, compiled and interpreted.

    pointers_test.py RUN_C COUNT FIRST_SEED [FOLDER_FOR_FAILURES]

Pointers are kept in structs, unions, arrays and on the heap, as `void *`, as bytes
and as integers; they are copied with what holds them, found from pointers to
fields, passed down recursive calls, returned, and called. All modes must print what
the compiled program prints.
"""

import random
import sys

from memory_test import check_all

HEAD = """#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int printf(const char *, ...);
struct node;
typedef int (*operation)(struct node *, int *);
struct inner { char mark; int *q; int cells[3]; };
struct node {
  int key;
  struct node *next;
  int *ip;
  union { int i; int *p; struct node *n; unsigned char bytes[8]; } u;
  short tag;  /* What the union holds: 0 i, 1 p, 2 n. */
  int small : 5;
  unsigned wide : 11, is_node : 1;
  void *any;  /* A node or an int. */
  struct inner in;
  operation f;
};
struct list { int length; struct node *first; struct node *items[]; };
static int sum(struct node *n, int *p) { return n->key + *p; }
static int put(struct node *n, int *p) { *p = n->key ^ 3; return *n->ip; }
static int turn(struct node *n, int *p) {
  struct node *old = n->next;
  n->next = old->next;
  n->in.q = p;
  return old->key - *p;
}
static operation table[2][2] = {{sum, put}, {turn, sum}};
static int numbers[4] = {1, 2, 3, 4};
static struct node nodes[4];
static struct list *list;
static struct node *node_of(struct inner *in) {
  return (struct node *)((char *)in - offsetof(struct node, in));
}
static int *number_in(struct node *n) {
  switch (n->tag) {
    case 1: return n->u.p;
    case 2: return &n->u.n->key;
    default: return &n->in.cells[n->u.i & 1];
  }
}
static struct node *node_in(struct node *n) {
  return n->is_node ? n->any : n->tag == 2 ? n->u.n : n;
}
static int *any_number(struct node *n) {
  return n->is_node ? &((struct node *)n->any)->key : (int *)n->any;
}
static void keep(void **place, void *value) { *place = value; }
static void move_bytes(void *to, const void *from, int size) {
  unsigned char *t = to;
  for (const unsigned char *f = from, *end = f + size; f != end; ++f) *t++ = *f;
}
static struct inner changed(struct inner in, int *q) {
  in.q = q;
  in.cells[*q & 1] += 5;
  return in;
}
static struct node *last(struct node *n) {
  static struct node *seen;
  struct node *before = seen ? seen : n;
  seen = n;
  return before;
}
static int down(int depth, struct node *n, int *p) {
  int here = *p + depth, *old = n->ip;
  struct node copy = *n;
  if (depth == 0) return copy.key + *copy.ip;
  copy.ip = n->ip = &here;
  int result = down(depth - 1, depth & 1 ? &copy : n, &here);
  n->ip = old;
  return result + here + copy.key;
}
static void show(struct node *n) {
  printf("%d %d %d %d %d %d %u %d %d %d\\n", n->key, *n->ip, n->next->key,
         *number_in(n), node_in(n)->key, n->small, n->wide, *n->in.q,
         n->in.cells[0] + 3 * n->in.cells[1] + 7 * n->in.cells[2],
         *any_number(n));
}
"""


class Program:
    """A random program, as text."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0

    def pick(self, *ways):
        return self.random.choice(ways)

    def node(self, depth=2):
        if depth == 0 or self.random.random() < .4:
            return self.pick("&nodes[%d]" % self.random.randrange(4), "a", "b",
                             "nodes + (x & 3)", "list->first")
        n = self.node(depth - 1)
        return self.pick(
            f"({n})->next", f"node_in({n})", f"node_of(&({n})->in)",
            f"list->items[{self.random.randrange(3)}]",
            f"(*kept ? {n} : *kept)", "*kept", "ring[y & 1]",
            f"*(struct node **)((char *)({n}) + offsetof(struct node, next))",
            f"(struct node *)(uintptr_t)({n})",
            f"({{ struct node *t = {n}; t->next; }})")

    def number(self, depth=2):
        n = self.node(1)
        return self.pick(
            f"&({n})->key", f"({n})->ip", f"({n})->in.q", f"number_in({n})",
            f"&({n})->in.cells[{self.random.randrange(3)}]", "&x", "&y",
            f"&numbers[{self.random.randrange(4)}]", "numbers + (y & 3)",
            f"any_number({n})", "*slot", "p")

    def value(self):
        return self.pick(f"*({self.number()})", f"({self.node()})->key",
                         str(self.random.randint(-9, 99)), "x", "y",
                         f"({self.node()})->small", f"({self.node()})->wide")

    def simple(self):
        n, m, p = self.node(), self.node(), self.number()
        i, j = self.random.randrange(2), self.random.randrange(3)
        return self.pick(
            f"*({p}) = {self.value()};", f"*({p}) += {self.value()};",
            f"({n})->next = {m};", f"({n})->ip = {p};", f"a = {n};",
            f"b = {n};", f"p = {p};", f"ring[{i}] = {n};",
            f"{{ struct node *t = {n}; t->tag = 0; t->u.i = {self.value()}; }}",
            f"{{ struct node *t = {n}; t->u.p = {p}; t->tag = 1; }}",
            f"{{ struct node *t = {n}; t->u.n = {m}; t->tag = 2; }}",
            f"{{ struct node *t = {n}; t->any = {m}; t->is_node = 1; }}",
            f"{{ struct node *t = {n}; keep(&t->any, {p}); t->is_node = 0; }}",
            f"keep((void **)&({n})->next, {m});",
            f"keep((void **)&a, {m});",
            f"({n})->in = ({m})->in;", f"*({n}) = *({m});",
            f"memmove({n}, {m}, sizeof(struct node));",
            f"{{ struct node *t = {n}, *s = {m}; t->tag = s->tag; "
            "memmove(&t->u, &s->u, sizeof t->u); }",
            f"move_bytes(&({n})->ip, &({m})->in.q, sizeof(int *));",
            f"{{ struct node *t = {n}, *s = {m}; "
            "if (s->tag == 2) for (unsigned k = 0; k < sizeof(int *); k++) "
            "((unsigned char *)&t->next)[k] = s->u.bytes[k]; }",
            f"{{ struct node t = *({n}); t.key ^= 5; *({m}) = t; }}",
            f"({n})->in = changed(({m})->in, {p});",
            f"x += changed(({m})->in, {p}).cells[{j}];",
            f"({n})->f = table[{i}][{self.random.randrange(2)}];",
            f"{{ int t = ({n})->f({m}, {p}); y ^= t; }}",
            f"{{ int t = (*({n})->f)({m}, &y); x -= t; }}",
            f"{{ int t = table[{i}][y & 1]({n}, {p}); x += t; }}",
            f"{{ int t = down({self.random.randint(1, 3)}, {n}, {p}); "
            "y += t; }", f"a = last({n});",
            f"({n})->small = {self.value()};", f"({n})->small++;",
            f"({n})->wide -= {self.value()};",
            f"list->items[{j}] = {n};", f"list->first = {n};",
            f"kept = &list->items[{j}];", f"kept = &({n})->next;",
            "kept = &ring[1];", f"slot = &({n})->ip;", "slot = &p;",
            f"slot = &({n})->in.q;", f"*slot = {p};", f"*kept = {n};",
            f"number = (uintptr_t)({p}); p = (int *)number;",
            f"x += *((int[2]){{x, 7}} + (y & 1));",
            f"{{ int v[(y & 3) + 1]; v[y & 3] = {self.value()}; "
            "x += v[y & 3] + sizeof v; }")

    def statement(self, depth):
        pick = self.random.random()
        if depth > 1 or pick < .8:
            return ["  " + self.simple()]
        body = [line for _ in range(self.random.randint(1, 3))
                for line in self.statement(depth + 1)]
        if pick < .88:
            return [f"  if ({self.value()} & {self.pick(1, 2)}) {{", *body,
                    "  }"]
        self.names += 1
        i = f"i{self.names}"
        if pick < .94:
            return [f"  for (int {i} = 0; {i} < 2; {i}++) {{", *body, "  }"]
        return [f"  int {i} = {self.pick(0, 1, 2)};", f"  switch ({i}) {{",
                f"  for (; {i} < 3; {i}++) {{", "  case 0:", *body,
                "  case 2:;", "  }", "  default:;", "  }"]

    def text(self):
        lines = [HEAD, "int main(void) {",
                 "  int x = 3, y = 5, *p = &x, **slot = &p;",
                 "  uintptr_t number;",
                 "  struct node *a = &nodes[1], *b, *ring[2], **kept;",
                 "  list = malloc(sizeof *list + 3 * sizeof *list->items);",
                 "  b = calloc(1, sizeof *b);",
                 "  ring[0] = b; ring[1] = a; kept = &list->first;",
                 "  for (int i = 0; i < 5; i++) {",
                 "    struct node *n = i < 4 ? &nodes[i] : b;",
                 "    n->key = i; n->next = &nodes[(i + 1) & 3];",
                 "    n->ip = n->in.q = &numbers[i & 3]; n->any = n;",
                 "    n->is_node = 1; n->f = table[i & 1][i >> 1 & 1];",
                 "    n->in.cells[i % 3] = i;",
                 "    if (i < 3) list->items[i] = n;", "  }",
                 "  list->length = 3; list->first = b;"]
        for _ in range(self.random.randint(6, 30)):
            lines += self.statement(0)
        lines += ["  for (int i = 0; i < 4; i++) show(&nodes[i]);",
                  "  show(a); show(b); show(list->first); show(*kept);",
                  '  printf("%d %d %d %d\\n", x, y, *p, **slot);',
                  "  return 0;", "}", ""]
        return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(check_all(lambda seed: Program(seed).text(), sys.argv[1:]))
