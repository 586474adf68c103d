// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// Attributes: packed, aligned, unused, noreturn, section, weak and others.
#include <stdio.h>
#include <stdlib.h>

struct __attribute__((packed)) wire {
  unsigned char type;
  unsigned length;
  unsigned short port __attribute__((aligned(2)));
};
struct cache {
  char c;
} __attribute__((aligned(32)));
typedef int __attribute__((aligned(16))) aligned_int;
typedef unsigned __attribute__((mode(QI))) byte;
typedef int di __attribute__((mode(DI)));

static int unused(int x __attribute__((unused)), int y) { return y; }
static __attribute__((noinline, cold)) int cold(void) { return 1; }
static inline __attribute__((always_inline)) int hot(int x) { return x + 1; }
static void leave(int) __attribute__((noreturn));
static void leave(int code) {
  printf("leave %d\n", code);
  exit(code);
}
__attribute__((pure)) static int pure(int x) { return x * x; }
__attribute__((weak)) int weak(void) { return 17; }
static int deprecated __attribute__((deprecated)) = 4;
static int in_section __attribute__((section(".mydata"))) = 5;
enum __attribute__((packed)) tiny { ONE = 1, TWO };
#pragma pack(push, 2)
struct pragma {
  char c;
  int i;
};
#pragma pack(pop)

int main(void) {
  struct wire w = {1, 0x01020304, 80}, *p = &w;
  p->length += 1;
  printf("%d %x %d\n", (int)sizeof w, p->length, w.port);
  struct cache c[2];
  printf("%d %d\n", (int)sizeof c, (int)((unsigned long)&c[1] % 32));
  aligned_int a = 3;
  printf("%d %d\n", (int)((unsigned long)&a % 16), a);
  byte b = 257;
  di wide = 1;
  wide <<= 40;
  printf("%d %lld\n", b, (long long)wide);
  printf("%d %d %d %d\n", unused(1, 2), cold(), hot(3), pure(7));
  printf("%d %d %d\n", weak(), deprecated, in_section);
  printf("%d %d\n", (int)sizeof(enum tiny), (int)sizeof(struct pragma));
  switch (a) {
    case 3:
      a++;
      __attribute__((fallthrough));
    default:
      a++;
  }
  if (a == 5) leave(a);
  return 1;
}
