// SPDX-License-Identifier: Apache-2.0
// SEEDS: 1 2 3 4 5 6 7 8 9 10
// UNUSED
// Inputs that decide nothing that can be seen, between others that do.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

struct state {
  int seen, unseen;
  int history[8];
};

static struct state state;
static int *const log_ = state.history;

static int noise(void) {
  int x = __VERIFIER_nondet_int();
  while (x > 3) x -= 1 + __VERIFIER_nondet_uchar() % 3;
  state.unseen += x;
  return x;
}
static void step(struct state *s, int n) {
  int important = __VERIFIER_nondet_int();
  int trifle = noise();
  s->history[n & 7] = trifle;
  if (important % 3 == 0) s->seen += important;
  if (trifle > 100) s->unseen++;
}

int main(void) {
  noise();
  int rounds = __VERIFIER_nondet_int();
  for (int i = 0; i < rounds; ++i) {
    step(&state, i);
    if (__VERIFIER_nondet_int() == 7) {
      printf("early %d\n", i);
      break;
    }
    noise();
  }
  int hidden = log_[rounds & 7] + noise();
  hidden *= 2;
  printf("%d\n", state.seen);
  return state.seen & 63;
}
