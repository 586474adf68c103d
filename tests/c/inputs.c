// SPDX-License-Identifier: Apache-2.0
// SEEDS: 1 2 3 5 8 13 21
// Inputs of all types.
#include <stdio.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
  int a = __VERIFIER_nondet_int(), sum = a;
  unsigned b = __VERIFIER_nondet_uint();
  char c = __VERIFIER_nondet_char();
  unsigned char d = __VERIFIER_nondet_uchar();
  short e = __VERIFIER_nondet_short();
  unsigned short f = __VERIFIER_nondet_ushort();
  long g = __VERIFIER_nondet_long();
  unsigned long h = __VERIFIER_nondet_ulong();
  _Bool i = __VERIFIER_nondet_bool();
  printf("%d %u %d %d %d %d %ld %lu %d\n", a, b, c, d, e, f, g, h, i);
  int array[16] = {0};
  for (int k = 0; k < 30; ++k) array[__VERIFIER_nondet_int()]++;
  for (int k = 0; k < 16; ++k) printf("%d ", array[k]);
  while (__VERIFIER_nondet_int() > 3) ++sum;
  printf("%d\n", sum);
  return __VERIFIER_nondet_uint() > 7 ? sum & 31 : 0;
}
