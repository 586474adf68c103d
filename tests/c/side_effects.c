// SPDX-License-Identifier: Apache-2.0
// Side effects in all operands, where C orders them.
#include <stdio.h>

static int log_[64], length;
static int note(int x) {
  log_[length++ & 63] = x;
  return x;
}
static int *where(int *p, int x) {
  note(x);
  return p;
}
static void flush(void) {
  for (int i = 0; i < length; ++i) printf("%d ", log_[i]);
  printf("\n");
  length = 0;
}
static int bump(int *p) { return ++*p; }

struct s {
  int a[4];
  struct s *next;
};

int main(void) {
  int a[4] = {0, 1, 2, 3}, i = 0, x;
  a[i] = i + 1;
  x = a[i++];
  x += a[i];
  i = -i;
  printf("%d %d\n", x, i);
  x = (note(1), note(2)) + 1;
  x += note(3) && note(4) ? note(5) : note(6);
  flush();
  *where(&x, 7) = 9;
  *where(&a[1], 8) += 3;
  (*where(&a[2], 9))++;
  flush();
  printf("%d %d %d\n", x, a[1], a[2]);
  int n = 0;
  x = bump(&n) * 10;
  x += n;
  printf("%d\n", x);
  if (bump(&n) > 1 && bump(&n) < 10) printf("%d\n", n);
  while ((x = n--) > 0) printf("%d ", x);
  printf("\n");
  struct s t = {{1, 2, 3, 4}}, u = {{5, 6, 7, 8}, &t}, *p = &u;
  i = 0;
  p->a[i++] = p->next->a[3];
  (p = p->next)->a[0] = 50;
  printf("%d %d %d\n", u.a[0], t.a[0], p == &t);
  char text[8] = "abc", *from = "xyz", *to = text;
  while ((*to++ = *from++)) continue;
  printf("%s %d\n", text, (int)(to - text));
  int y = x = n = 4;
  y += x -= n *= 2;
  printf("%d %d %d\n", y, x, n);
  x = 5;
  x = 3, n = x;
  return !note(0) + ~-n;
}
