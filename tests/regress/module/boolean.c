// SPDX-License-Identifier: Apache-2.0
// What is of type _Bool is 0 or 1, wherever it comes from.
#include <assert.h>
#include <stdbool.h>

extern bool ask(void);
bool flag;
struct pair {
  bool b;
  int n;
};

static void check(int b) { assert(b == 0 || b == 1); }

void parameter(bool b) { check(b); }
void member(struct pair p) { check(p.b); }
void global(void) { check(flag); }
void pointer(bool *b) {
  if (b) check(*b);
}
void inside(struct pair *p) {
  if (p) check(p->b);
}
void result(void) { check(ask()); }
void called(bool (*f)(void)) {
  if (f) check(f());
}
void both(bool a, bool b) {
  if (a != b) assert(a);
}
