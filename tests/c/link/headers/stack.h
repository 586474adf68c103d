// SPDX-License-Identifier: Apache-2.0
/// A stack of numbers, shared by two files.
#pragma once

enum { kRoom = 16 };

struct stack {
  int top;
  int items[kRoom];
};

typedef int (*operation)(int, int);

extern int shared_total;
extern const char *const names[];

static inline void push(struct stack *s, int x) { s->items[s->top++] = x; }
static inline int pop(struct stack *s) { return s->items[--s->top]; }
static int depth(const struct stack *s) { return s->top; }
inline int twice(int x) { return 2 * x; }
static int next_id(void) {
  static int last;
  return ++last;
}

struct stack make(int n);
int sum(struct stack s);
operation lookup(char name);
int next_id_elsewhere(void);
