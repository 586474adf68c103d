// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// SEEDS: 1 2 3 4
// Pointers that go through records as through arrays, beyond the array with
// which a record begins.
#include <stdio.h>
#include <string.h>

struct frame {
  unsigned short address[3];
  unsigned short type;
  unsigned char data[4];
  int end;
};
struct other {
  unsigned short words[8];
};
struct pair {
  struct {
    int a[2];
  } k, l;
};
struct table {
  int (*first[2])(void);
  int (*last)(void);
};
union view {
  struct frame frame;
  unsigned short words[8];
};

extern int __VERIFIER_nondet_int(void);
static int pick(int n) {
  return (int)((unsigned)__VERIFIER_nondet_int() % (unsigned)n);
}

static unsigned sum(const void *from, int n) {
  const unsigned char *byte = from;
  unsigned total = 0;
  while (n-- > 0) total = total * 3 + *byte++;
  return total;
}
static void fill(void *to, unsigned short value, int n) {
  unsigned short *word = to;
  int i;
  for (i = 0; i < n; i++) word[i] = value;
}
static void show(const struct frame *f) {
  printf("%d %d %d | %d | %d %d %d %d | %d\n", f->address[0], f->address[1],
         f->address[2], f->type, f->data[0], f->data[1], f->data[2], f->data[3],
         f->end);
}
static int one(void) { return 1; }
static int two(void) { return 2; }

static void by_bytes(void) {
  struct frame f = {{1, 2, 3}, 4, {5, 6, 7, 8}, 9};
  unsigned char *p;
  ((unsigned char *)&f)[2 * pick(6)] = 77;
  show(&f);
  *(unsigned short *)((char *)&f + 4 + 2 * pick(3)) = 500;
  show(&f);
  for (p = (unsigned char *)&f; p < (unsigned char *)(&f + 1); p += 4) *p ^= 1;
  show(&f);
  memset((char *)&f + 2 * pick(5), 0, 2);
  show(&f);
  memcpy(&f, "abcdefgh", 2 * (size_t)pick(5));
  show(&f);
}

static void by_words(void) {
  struct frame f = {{1, 2, 3}, 4, {5, 6, 7, 8}, 9};
  unsigned short *p = (unsigned short *)&f;
  unsigned short *q = p + 1;
  unsigned short *r = q + 1;
  unsigned short *s = r + 1;
  *s = 40;
  show(&f);
  p[pick(4)] = 50;
  show(&f);
  fill(&f, 60, 4);
  show(&f);
  ((struct other *)&f)->words[pick(6)] = 70;
  show(&f);
  ((union view *)&f)->words[pick(6)] = 80;
  show(&f);
  printf("%u %u\n", sum(&f, 8), sum(&f, sizeof f));
}

static void nested(void) {
  struct pair x = {{{1, 2}}, {{3, 4}}};
  struct table t = {{one, one}, two};
  struct table *at = &t;
  int i = pick(4);
  ((int *)&x)[i] += 10;
  printf("%d %d %d %d\n", x.k.a[0], x.k.a[1], x.l.a[0], x.l.a[1]);
  printf("%d\n", ((int (**)(void))at)[pick(3)]());
}

int main(void) {
  int i;
  for (i = 0; i < 8; i++) {
    by_bytes();
    by_words();
    nested();
  }
  return 0;
}
