// SPDX-License-Identifier: Apache-2.0
// ++ and -- before and after, on every kind of object.
#include <stdio.h>

struct s {
  int x;
  unsigned char c;
  short a[3];
  int *p;
  unsigned b : 3;
  signed d : 3;
};

static struct s global;
static int numbers[5] = {10, 20, 30, 40, 50};

int main(void) {
  int i = 5;
  printf("%d ", i++);
  printf("%d ", ++i);
  printf("%d ", i--);
  printf("%d\n", --i);
  unsigned char c = 255;
  printf("%d ", c++);
  printf("%d\n", c);
  printf("%d ", --c);
  printf("%d\n", c--);
  char *text = "hello";
  printf("%c", *text++);
  printf("%c", *++text);
  printf("%c\n", *text--);
  int *p = numbers + 2;
  printf("%d ", *p++);
  printf("%d ", *--p);
  printf("%d ", ++*p);
  printf("%d ", (*p)++);
  printf("%d\n", *p);
  struct s local = {1, 254, {7, 8, 9}, numbers, 7, 3};
  printf("%d ", local.x++);
  printf("%d ", ++local.c);
  printf("%d ", ++local.c);
  printf("%d ", local.a[1]--);
  printf("%d ", *++local.p);
  printf("%d ", local.b++);
  printf("%d ", local.b);
  printf("%d ", ++local.d);
  printf("%d ", local.d--);
  printf("%d\n", local.d);
  struct s *q = &global;
  q->x++;
  ++q->x;
  q->a[q->x]--;
  --q->b;
  printf("%d %d %d\n", q->x, q->a[2], q->b);
  int *pp[2] = {numbers, numbers + 4};
  ++*pp[0]++;
  --pp[1];
  printf("%d %d %d\n", *pp[0], *pp[1], numbers[0]);
  long long l = 0x7fffffff;
  printf("%lld\n", ++l);
  int n = 3, sum = 0;
  while (n-- > 0) sum = sum * 10 + n;
  return sum;
}
