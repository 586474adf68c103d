// SPDX-License-Identifier: Apache-2.0
// Compound assignments to what is atomic convert as those to its plain type.
// ALSO: -m32
#include <stdatomic.h>
#include <stdio.h>

struct pair {
  short x, y;
};

static _Atomic short s = -5;
static _Atomic _Bool b;
static _Atomic unsigned char u = 250;
static _Atomic long long wide = -3;
static _Atomic(int *) p;
static int numbers[4] = {1, 2, 3, 4};
static _Atomic struct pair whole;

static void signs(void) {
  s += 1;
  printf("%d ", s);
  s /= 2;
  printf("%d ", s);
  s >>= 1;
  printf("%d ", s--);
  printf("%d %d\n", s, s + 1 < 0);
  wide *= -7;
  printf("%lld ", wide);
  wide >>= 2;
  wide /= -2;
  printf("%lld\n", wide % 4);
}

static void truth_values(void) {
  b += 2;
  printf("%d ", b);
  b--;
  printf("%d ", b);
  b |= 4;
  printf("%d ", b);
  b = 8;
  printf("%d ", b);
  b ^= 1;
  printf("%d\n", b);
}

int main(void) {
  signs();
  truth_values();
  u += 10;
  printf("%d ", u);
  u -= 5;
  printf("%d\n", u);
  p = numbers;
  p++;
  printf("%d ", *p);
  printf("%d\n", *--p);
  struct pair copy = whole;
  copy.x += copy.y + 3;
  whole = copy;
  copy = whole;
  printf("%d %d\n", copy.x, copy.y);
  short plain = -7;
  printf("%d ", __atomic_fetch_add(&plain, 2, __ATOMIC_SEQ_CST));
  printf("%d\n", __sync_sub_and_fetch(&plain, 1));
  return atomic_fetch_sub(&s, 3) & 7;
}
