// SPDX-License-Identifier: Apache-2.0
// 128-bit integers, printed in halves.
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(const char *what, u128 x) {
  printf("%s %llx %llx\n", what, (unsigned long long)(x >> 64),
         (unsigned long long)x);
}

struct pair {
  u128 x;
  char c;
  i128 y;
};

static i128 factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

int main(void) {
  u128 a = ((u128)0x123456789abcdef0ULL << 64) | 0x0fedcba987654321ULL;
  i128 b = -5;
  show("a", a);
  show("b", b);
  show("sum", a + b);
  show("product", a * (u128)b);
  show("quotient", a / 1000000007u);
  show("remainder", a % 1000000007u);
  show("negative quotient", b / 2);
  show("negative remainder", b % 2);
  show("shifted", a << 9);
  show("arithmetic", b >> 1);
  show("logical", (u128)b >> 1);
  show("not", ~a ^ (a & 0xff));
  show("factorial", factorial(30));
  printf("%d %d %d\n", b < 0, (u128)b > a, b == -5);
  printf("%lld %d\n", (long long)b, (int)(signed char)a);
  struct pair p = {a, 'x', b};
  struct pair q = p;
  q.x += q.y;
  show("x", q.x);
  show("y", p.y);
  printf("%d\n", (int)sizeof(struct pair));
  u128 zero = 0;
  zero--;
  show("wrap", zero);
  printf("%d %d\n", !zero, !!a);
  return 0;
}
