// SPDX-License-Identifier: Apache-2.0
// Enumerations that are wider or narrower than int, and their constants.
// ALSO: -m32
#include <stdio.h>
enum A { A1 = -1, A2 = 0x7fffffff };
enum B { B1 = 0x80000000u, B2 = 1 };
enum C { C1 = -1, C2 = 1LL << 40, C3 };
enum __attribute__((packed)) D { D1 = 255, D2 };
enum __attribute__((packed)) E { E1 = -128, E2 = 127 };
enum F { F1 = 0xffffffffffffffffULL };
enum __attribute__((packed)) G { G1 = -1, G2 = 200 };
struct S {
  enum D d;
  enum E e;
  enum C c;
  enum G g : 9;
  enum B b : 32;
};
int main(void) {
  enum A a = A1;
  enum B b = B1;
  enum C c = C1;
  enum D d = D2;
  enum E e = E1;
  enum G g = G1;
  printf("%d %d %d %d %d %d %d\n", (int)sizeof a, (int)sizeof b, (int)sizeof c,
         (int)sizeof d, (int)sizeof e, (int)sizeof(enum F), (int)sizeof g);
  printf("%d %d %d %d %d\n", a < 0, b < 0, c < 0, d < 0, e < 0);
  printf("%lld %lld %lld\n", (long long)C1, (long long)C2, (long long)C3);
  printf("%d %d\n", C1 < 0, (long long)C1 == -1);
  printf("%lld %d %d\n", (long long)b, (int)d, (int)e);
  d++;
  printf("%d\n", d);
  e--;
  printf("%d\n", e);
  g--;
  printf("%d\n", g);
  printf("%d\n", (int)sizeof(C1));
  printf("%llu\n", (unsigned long long)F1);
  struct S s = {D2, E1, C2, G1, B1};
  printf("%d %d %lld %d %u %d\n", s.d, s.e, (long long)s.c, s.g, s.b,
         (int)sizeof s);
  switch (c) {
    case C1:
      printf("c1\n");
      break;
    case C2:
      printf("c2\n");
      break;
    default:
      printf("other\n");
  }
  c = C2;
  switch (c) {
    case C1:
      printf("c1\n");
      break;
    case C2:
      printf("c2\n");
      break;
    default:
      printf("other\n");
  }
  switch (b) {
    case B1:
      printf("b1\n");
      break;
    case B2:
      printf("b2\n");
  }
  a = 5;
  printf("%d\n", a);
  b = -1;
  printf("%d\n", b > 0);
  return 0;
}
