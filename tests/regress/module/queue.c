// SPDX-License-Identifier: Apache-2.0
// A queue as a list.
#include <assert.h>
#include <stdlib.h>
struct node {
  int v;
  struct node *next;
};
static struct node *first, *last;
static int n;
void enqueue(int v) {
  struct node *x = malloc(sizeof *x);
  if (!x) return;
  x->v = v;
  x->next = 0;
  if (last)
    last->next = x;
  else
    first = x;
  last = x;
  n++;
}
int dequeue(void) {
  if (!first) {
    assert(last == 0);
    return -1;
  }
  struct node *x = first;
  int v = x->v;
  first = x->next;
#ifndef BUG
  if (!first) last = 0;
#endif
  n--;
  free(x);
  return v;
}
