// SPDX-License-Identifier: Apache-2.0
// Compound literals of scalars, arrays and structs, at block and file scope.
#include <stdio.h>

struct point {
  int x, y;
};
struct list {
  int value;
  struct list *next;
};

static int *at_file_scope = (int[]){4, 5, 6};
static struct point *point_at_file_scope = &(struct point){7, 8};
static struct list *chain =
    &(struct list){1, &(struct list){2, &(struct list){3, 0}}};

static int sum(const int *p, int n) {
  int total = 0;
  while (n--) total += *p++;
  return total;
}
static int product(struct point p) { return p.x * p.y; }
static int mirrored(int again) {
  struct point *p = 0, *q;
  int j = 0;
again:
  q = p;
  p = &(struct point){j++, again};
  if (j < 2) goto again;
  return p == q && q->x == 1;
}

int main(void) {
  printf("%d\n", sum((int[]){1, 2, 3, 4}, 4));
  printf("%d\n", sum((const int[10]){[3] = 5, 6}, 10));
  printf("%d\n", product((struct point){3, .y = 4}));
  printf("%d %d\n", at_file_scope[2], point_at_file_scope->y);
  at_file_scope[0]++;
  printf("%d\n", *at_file_scope);
  for (struct list *l = chain; l; l = l->next) printf("%d ", l->value);
  printf("\n");
  int total = 0;
  for (int i = 0; i < 4; ++i) {
    int *p = (int[]){i, i * i, total};
    p[0] += p[1];
    total += p[0] + p[2];
  }
  printf("%d\n", total);
  struct point a = (struct point){1, 2};
  a = (struct point){a.y, a.x};
  printf("%d %d\n", a.x, a.y);
  (struct point){5, 6}.x;
  int *scalar = &(int){42};
  ++*scalar;
  printf("%d %d\n", *scalar, (int){7});
  printf("%s %d\n", (char[]){"text"}, (int)sizeof(char[]){"text"});
  struct point *p = &a;
  *p = *&(struct point){.y = p->x + 10};
  printf("%d %d\n", a.x, a.y);
  printf("%d\n", mirrored(3));
  return (union { unsigned u; unsigned char b[4]; }){0x01020304}.b[0];
}
