// SPDX-License-Identifier: Apache-2.0
// Floating point as constants and copies: every bit is exact.
#include <stdio.h>
#include <string.h>

static const double constants[] = {0.0, -0.0, 1.0, -1.5, 3.141592653589793,
                                   1e300, 1e-310, 1.0 / 3.0, 0x1.8p-3};
static float singles[3] = {1.0f, 0.1f, (float)0.1};
struct mixed {
  char c;
  double d;
  float f;
};
static struct mixed global = {'m', 2.5, -0.75f};
static int rounded = (int)3.99, negative = (int)-3.99;
static unsigned char small = 200.7;
static long long huge = 1e18;
static double least = -__builtin_inf();

static unsigned long long bits(double d) {
  unsigned long long u;
  memcpy(&u, &d, sizeof u);
  return u;
}
static unsigned single(float f) {
  unsigned u;
  memcpy(&u, &f, sizeof u);
  return u;
}
static double half(void) { return 0.5; }

int main(void) {
  for (unsigned i = 0; i < sizeof constants / sizeof *constants; ++i)
    printf("%llx\n", bits(constants[i]));
  for (int i = 0; i < 3; ++i) printf("%x\n", single(singles[i]));
  struct mixed copy = global;
  global.d = 7.0;
  printf("%llx %x %llx\n", bits(copy.d), single(copy.f), bits(global.d));
  printf("%d %d %d %lld\n", rounded, negative, small, huge);
  double d = 1;
  float f = 16777217;
  printf("%llx %x\n", bits(d), single(f));
  printf("%llx\n", bits(half()));
  printf("%d %d %d\n", 1.0 < 2.0, 0.1 == 0.1f, (int)(2.5 * 2));
  printf("%d %d\n", (int)sizeof(1.0f), (int)sizeof(1.0));
  double swap[2] = {1.25, 2.25}, t = swap[0];
  swap[0] = swap[1];
  swap[1] = t;
  printf("%llx %llx\n", bits(swap[0]), bits(swap[1]));
  double *p = &swap[1];
  *p = 1 ? 8.0 : 9.0;
  printf("%llx\n", bits(*p));
  int times = 0;
  double after = -(times++, 2.0);
  float infinite = -__builtin_inff();
  printf("%llx %x %d %d\n", bits(least), single(infinite), times,
         (int)-__builtin_fabs(-3.5));
  if (bits(after) != bits(-2.0)) printf("%llx\n", bits(after));
  return (int)42.9;
}
