// SPDX-License-Identifier: Apache-2.0
// Allocations of any length, of which each may fail.
#include <stdlib.h>
#include <string.h>

struct pair {
  char *key, *value;
};

struct pair *copy_pair(const char *key, const char *value) {
  struct pair *p = malloc(sizeof *p);
  if (!p) return NULL;
  p->key = malloc(strlen(key) + 1);
  if (!p->key) {
    free(p);
    return NULL;
  }
  p->value = malloc(strlen(value) + 1);
  if (!p->value) {
#ifndef LEAK
    free(p->key);
#endif
    free(p);
    return NULL;
  }
  strcpy(p->key, key);
  strcpy(p->value, value);
  return p;
}
