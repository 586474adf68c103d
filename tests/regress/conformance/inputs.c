// SPDX-License-Identifier: Apache-2.0
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void ready(void);

unsigned char table[4];

// Which entry is taken is decided after `ready`, so that what matters before it
// is what every entry holds.
int look_up(void) {
  table[0] = 1;
  table[1] = 3;
  table[2] = 1;
  table[3] = 3;
  ready();
  return table[__VERIFIER_nondet_uchar() & 3];
}

// The sum depends on what comes later, and its bound on what came before.
int add_up(int x) {
  x = x & 3;
  ready();
  return x + (__VERIFIER_nondet_uchar() & 3);
}
