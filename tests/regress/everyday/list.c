// SPDX-License-Identifier: Apache-2.0
// Reverses a list of three; with KEEP the last node still points to another.
#include <assert.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *head, int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = head;
  return n;
}

static struct node *reverse(struct node *rest) {
  struct node *done = 0;
  while (rest) {
    struct node *next = rest->next;
#ifdef KEEP
    if (done)
#endif
      rest->next = done;
    done = rest;
    rest = next;
  }
  return done;
}

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 3; i++) list = push(list, i);
  list = reverse(list);
  for (int i = 0; i < 3; i++) {
    assert(list->value == i);
    list = list->next;
  }
  assert(list == 0);
}
