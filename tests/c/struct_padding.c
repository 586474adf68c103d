// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// Sizes, alignments and offsets as the ABI lays them out.
#include <stddef.h>
#include <stdio.h>

struct a {
  char c;
  int i;
  char d;
};
struct b {
  char c;
  long long l;
  short s;
};
struct c {
  char c;
  double d;
  char e[3];
};
struct packed {
  char c;
  int i;
  long long l;
  short s;
} __attribute__((packed));
struct aligned {
  char c;
  int i __attribute__((aligned(16)));
};
struct empty {};
struct holder {
  struct packed p;
  struct aligned a;
  struct empty e;
  void *v;
};

#define SHOW(type, member) \
  printf(#type "." #member " %d\n", (int)offsetof(struct type, member))

int main(void) {
  printf("%d %d %d %d %d %d %d\n", (int)sizeof(struct a), (int)sizeof(struct b),
         (int)sizeof(struct c), (int)sizeof(struct packed),
         (int)sizeof(struct aligned), (int)sizeof(struct empty),
         (int)sizeof(struct holder));
  SHOW(a, i);
  SHOW(a, d);
  SHOW(b, l);
  SHOW(b, s);
  SHOW(c, d);
  SHOW(c, e[2]);
  SHOW(packed, i);
  SHOW(packed, l);
  SHOW(packed, s);
  SHOW(aligned, i);
  SHOW(holder, a.i);
  SHOW(holder, v);
  struct packed p = {1, -2, 3, -4}, q;
  q = p;
  q.l <<= 33;
  printf("%d %d %lld %d\n", q.c, q.i, q.l, q.s);
  unsigned char *bytes = (unsigned char *)&q;
  for (unsigned i = 0; i < sizeof q; ++i) printf("%02x ", bytes[i]);
  printf("\n");
  struct aligned array[2] = {{1, 2}, {3, 4}};
  printf("%d %d\n", (int)((char *)&array[1] - (char *)array), array[1].i);
  printf("%d\n", (int)((unsigned long)&array[0].i % 16));
  return 0;
}
