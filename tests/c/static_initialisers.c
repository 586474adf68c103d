// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// Constant expressions that static initialisers may contain.
#include <stddef.h>
#include <stdio.h>

struct in {
  short h[3];
  char c;
};
struct s {
  int a;
  struct in in[2];
  struct s *self;
};

static struct s table[3] = {{1, {{{1, 2, 3}, 'x'}}, &table[2]},
                            [2] = {.in[1].h[2] = 9, .self = table}};
static short *deep = &table[2].in[1].h[2];
static char *bytes = (char *)&table[1] + offsetof(struct s, in[1].c);
static long offset = (long)&((struct s *)0)->in[1];
static int distance = &table[2] - &table[0];
static int chosen = 1 ? 2 : 1 / 0;
static const int constant = 5;
static int sizes[4] = {sizeof sizes, sizeof(struct s), sizeof "abc", -1};
static char letters[] = {'a', "bcd"[1], 98 + 1, '\0'};
static char parens[] = ("parens");
static int folded = (3 * 4 - 5) % 4 << 2 | 1, negated = ~0 ^ 0xff, not = !3;
static unsigned wrap = -1, big = 0xffffffff + 2;
static _Bool flags[] = {0, 1, 2, 0x100, (_Bool)0.5};
static void (*nothing)(void) = (void (*)(void))0;
static struct {
  int *p;
  const char *s;
  struct in *in;
} pointers = {(int[]){1, 2, 3} + 1, "text" + 1, &(struct in){{4, 5, 6}, 'y'}};
static const char *lists[][2] = {{"a", "b"}, {"c"}};
static union {
  char c[8];
  int i;
} u = {"hello"};
static int matrix[][3] = {{1}, {2, 3}, {[2] = 4}};
static wchar_t wide[] = {[1] = L'x', 'y'};

int main(void) {
  printf("%d %d %d\n", table[0].self->in[1].h[2], table[2].self->a,
         table[0].in[0].c);
  printf("%d %ld %d %d\n", *deep, offset, distance, chosen);
  *bytes = 'q';
  printf("%c %d\n", table[1].in[1].c, constant);
  for (int i = 0; i < 4; ++i) printf("%d ", sizes[i]);
  printf("%s %s %d\n", letters, parens, (int)sizeof parens);
  printf("%d %d %d %u %u\n", folded, negated, not, wrap, big);
  for (int i = 0; i < 5; ++i) printf("%d ", flags[i]);
  printf("%d\n", nothing == NULL);
  printf("%d %d %s %d %c\n", pointers.p[0], pointers.p[-1], pointers.s,
         pointers.in->h[1], pointers.in->c);
  printf("%s %d %s %x\n", lists[0][1], lists[1][1] == 0, u.c, u.i);
  printf("%d %d %d %d\n", matrix[1][1], matrix[2][2], (int)sizeof matrix,
         (int)wide[2]);
  return 0;
}
