// SPDX-License-Identifier: Apache-2.0
// A hash table of strings with chains and growth.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  struct entry *next;
  unsigned hash;
  int value;
  char key[];
};
struct table {
  struct entry **buckets;
  size_t size, used;
};

static unsigned hash_of(const char *s) {
  unsigned h = 2166136261u;
  for (; *s; ++s) h = (h ^ (unsigned char)*s) * 16777619;
  return h;
}
static void grow(struct table *t) {
  const size_t size = t->size ? t->size * 2 : 4;
  struct entry **buckets = calloc(size, sizeof *buckets);
  for (size_t i = 0; i < t->size; ++i) {
    for (struct entry *e = t->buckets[i], *next; e; e = next) {
      next = e->next;
      e->next = buckets[e->hash & (size - 1)];
      buckets[e->hash & (size - 1)] = e;
    }
  }
  free(t->buckets);
  t->buckets = buckets;
  t->size = size;
}
static int *at(struct table *t, const char *key) {
  const unsigned hash = hash_of(key);
  if (t->used >= t->size) grow(t);
  struct entry **p = &t->buckets[hash & (t->size - 1)];
  for (; *p; p = &(*p)->next)
    if ((*p)->hash == hash && !strcmp((*p)->key, key)) return &(*p)->value;
  const size_t length = strlen(key) + 1;
  *p = malloc(sizeof **p + length);
  **p = (struct entry){.hash = hash};
  memcpy((*p)->key, key, length);
  ++t->used;
  return &(*p)->value;
}

int main(void) {
  static const char *const words[] = {"the", "cat", "sat", "on", "the", "mat",
                                      "and", "the", "dog", "sat", "by", "it"};
  struct table t = {0};
  for (unsigned i = 0; i < sizeof words / sizeof *words; ++i)
    ++*at(&t, words[i]);
  for (unsigned i = 0; i < sizeof words / sizeof *words; ++i)
    printf("%s %d\n", words[i], *at(&t, words[i]));
  printf("%d %d\n", (int)t.used, (int)t.size);
  return *at(&t, "the");
}
