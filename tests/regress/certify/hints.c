// SPDX-License-Identifier: Apache-2.0
struct lock {
  int held;
  int wanted;
};

void take(void);
void give(void);
int __VERIFIER_nondet_int(void);

static void set(struct lock* l, int value) {
  int old = l->held;
  if (old == value) return;
  l->held = value;
  if (value) take();
  else give();
}

int run(struct lock* l, int n) {
  struct lock own;
  int rounds = 0;
  own.held = 0;
  own.wanted = n;
  l->held = 0;
  while (__VERIFIER_nondet_int()) {
    set(l, 1);
    if (n > 3) {
      set(&own, 0);
      rounds = 1;
    }
    set(l, 0);
  }
  if (rounds > 1) take();
  return own.wanted;
}
