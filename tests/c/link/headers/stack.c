// SPDX-License-Identifier: Apache-2.0
#include "stack.h"

int shared_total = 1000;
const char *const names[] = {"zero", "one"};

extern inline int twice(int x);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }

operation lookup(char name) { return name == '+' ? add : sub; }

struct stack make(int n) {
  struct stack s = {.top = 0};
  for (int i = 0; i < n; ++i) push(&s, i * i);
  return s;
}

int sum(struct stack s) {
  int total = 0;
  while (s.top) total += pop(&s);
  return total;
}

int next_id_elsewhere(void) { return next_id(); }
