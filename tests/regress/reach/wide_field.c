// SPDX-License-Identifier: Apache-2.0
// Compilers differ about arithmetic on bit-fields that are wider than an int.
extern void reach_error(void);

struct counter {
  unsigned long long ticks : 40;
  unsigned small : 5;
};

int main(void) {
  struct counter c = {1ULL << 39, 31};
#ifdef ARITHMETIC
  if (c.ticks * 2 == 0) reach_error();
#else
  if (c.ticks == 0 || c.small + 1 != 32) reach_error();
#endif
  return 0;
}
