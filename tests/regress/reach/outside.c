/* SPDX-License-Identifier: Apache-2.0 */
/* Nobody outside knows the address of a local, or of what is allocated later. */
#include <stdlib.h>
extern void reach_error(void);
struct holder { int *to; };
static int global;

void local(int *p) {
  int x = 0;
  int *q = &x;
  if (p == q) reach_error();
}

void global_variable(int *p) {
  int x = 0;
  int *q = &global;
  *q = x;
  if (p == q) reach_error();
}

void two_locals(int *p, int *r) {
  int x = 0, y = 0;
  int *q = &x, *s = &y;
  *p = 1;
  *r = 1;
  if (*q != 0 || *s != 0) reach_error();
}

void heap(int *p) {
  int *q = malloc(sizeof *q);
  if (p == q) reach_error();
}

void in_memory(struct holder *h) {
  int x = 0;
  int *q = &x;
  if (h->to == q) reach_error();
}

void each_other(int *p, int *q) {
  int x = 0;
  int *r = &x;
  *r = 1;
  if (p == q) reach_error();
}

struct part { int first; unsigned char name[8]; };

/* Two structs are the same or have nothing in common. */
void no_overlap(struct part *p, struct part *q) {
  p->name[0] = 1;
  q->name[4] = 2;
  if (p != q && p->name[0] != 1) reach_error();
}

void same(struct part *p, struct part *q) {
  p->name[0] = 1;
  q->name[0] = 2;
  if (p->name[0] != 1) reach_error();
}

void aligned(int *p, unsigned char *q) {
  *p = 0;
  q[0] = 1;
  if (*p == 256 && ((unsigned long)q & 3) == 0) reach_error();
}

void part_of_number(int *p, unsigned char *q) {
  *p = 0;
  q[0] = 1;
  if (*p == 256) reach_error();
}
