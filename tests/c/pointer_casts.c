// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// Pointers as integers and back, and pointers to other types.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct header {
  int kind;
};
struct big {
  struct header header;
  int data[3];
};

static int read(struct header *h) {
  return h->kind == 2 ? ((struct big *)h)->data[1] : h->kind;
}
static int *aligned(char *p) {
  return (int *)(((uintptr_t)p + 3) & ~(uintptr_t)3);
}

int main(void) {
  int x = 5;
  uintptr_t n = (uintptr_t)&x;
  *(int *)n = 6;
  printf("%d\n", x);
  n += 8;
  n -= 8;
  ++*(int *)n;
  printf("%d %d\n", x, (int *)n == &x);
  struct big b = {{2}, {10, 20, 30}};
  struct header h = {9};
  printf("%d %d\n", read(&b.header), read(&h));
  int a[4] = {1, 2, 3, 4};
  int *p = aligned((char *)a + 5);
  printf("%d\n", *p);
  uintptr_t distance = (uintptr_t)&a[3] - (uintptr_t)&a[0];
  printf("%d\n", (int)distance);
  unsigned float_bits;
  float f = 1.0f;
  memcpy(&float_bits, &f, sizeof f);
  printf("%x\n", float_bits);
  void *opaque = (void *)(intptr_t)-1;
  printf("%d %d\n", (int)(intptr_t)opaque, opaque == (void *)~0UL);
  printf("%d\n", (int)(char)(long)(void *)0x1234567);
  printf("%d\n", (_Bool)&x + !&x + (&x != 0));
  int *low_bits = (int *)((uintptr_t)p | 1);
  printf("%d\n", *(int *)((uintptr_t)low_bits & ~1UL));
  return (uintptr_t)(void *)42;
}
