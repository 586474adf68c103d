// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// Linked lists and trees on the heap.
#include <stdio.h>
#include <stdlib.h>

struct list {
  int value;
  struct list *next;
};
struct tree {
  int key;
  struct tree *child[2];
};

static struct list *push(struct list *l, int value) {
  struct list *made = malloc(sizeof *made);
  made->value = value;
  made->next = l;
  return made;
}
static struct list *reverse(struct list *l) {
  struct list *done = NULL;
  while (l) {
    struct list *next = l->next;
    l->next = done;
    done = l;
    l = next;
  }
  return done;
}
static void insert_sorted(struct list **at, int value) {
  while (*at && (*at)->value < value) at = &(*at)->next;
  *at = push(*at, value);
}
static void remove_odd(struct list **at) {
  while (*at) {
    if ((*at)->value & 1) {
      struct list *old = *at;
      *at = old->next;
      free(old);
    } else {
      at = &(*at)->next;
    }
  }
}
static void show(const struct list *l) {
  for (; l; l = l->next) printf("%d ", l->value);
  printf("\n");
}
static void insert(struct tree **t, int key) {
  while (*t) t = &(*t)->child[key > (*t)->key];
  *t = calloc(1, sizeof **t);
  (*t)->key = key;
}
static int walk(const struct tree *t, int hash) {
  if (!t) return hash;
  return walk(t->child[1], walk(t->child[0], hash) * 31 + t->key);
}
static void destroy(struct tree *t) {
  if (!t) return;
  destroy(t->child[0]);
  destroy(t->child[1]);
  free(t);
}

int main(void) {
  struct list *l = NULL;
  for (int i = 0; i < 6; ++i) l = push(l, i * i);
  show(l);
  l = reverse(l);
  show(l);
  insert_sorted(&l, 10);
  insert_sorted(&l, -1);
  insert_sorted(&l, 100);
  show(l);
  remove_odd(&l);
  show(l);
  struct tree *root = NULL;
  for (int i = 1; i < 20; ++i) insert(&root, i * 7 % 19);
  printf("%d\n", walk(root, 0));
  destroy(root);
  return l->next->value;
}
