// SPDX-License-Identifier: Apache-2.0
// Flexible array members, on the heap and initialised.
#include <stdio.h>
#include <stdlib.h>

struct packet {
  int length;
  unsigned char data[];
};
struct old {
  short n;
  int tail[0];
};

static struct packet *make(int n) {
  struct packet *p = malloc(sizeof *p + n);
  p->length = n;
  for (int i = 0; i < n; ++i) p->data[i] = i * i;
  return p;
}
static int sum(const struct packet *p) {
  int total = 0;
  for (int i = 0; i < p->length; ++i) total += p->data[i];
  return total;
}

int main(void) {
  printf("%d %d\n", (int)sizeof(struct packet), (int)sizeof(struct old));
  struct packet *p = make(10), *q = make(20);
  printf("%d %d\n", sum(p), sum(q));
  struct packet head = *p;
  printf("%d\n", head.length);
  struct old *o = malloc(sizeof *o + 3 * sizeof(int));
  o->n = 3;
  for (int i = 0; i < o->n; ++i) o->tail[i] = i + 1;
  printf("%d\n", o->tail[2]);
  free(p);
  return sum(q) & 127;
}
