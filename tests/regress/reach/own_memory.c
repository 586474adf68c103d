// SPDX-License-Identifier: Apache-2.0
// What a routine without a body does not know it cannot change: neither arrays
// that are not initialised nor what was allocated.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern void unknown(void);
extern void take(void *);
extern int *give(void);
extern int *seen;

void array(unsigned n) {
  char text[20];
  if (n > 19) return;
  text[n] = 0;
  unknown();
  assert(text[n] == 0);
}
void allocated(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  unknown();
  assert(*p == 1);
  free(p);
}
void cleared(unsigned n) {
  int *p = calloc(4, sizeof *p);
  if (n > 3) return;
  unknown();
  assert(p[n] == 0);
}
void grown(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  p = realloc(p, 2 * sizeof *p);
  unknown();
  assert(*p == 1);
}
void others(int *given) {
  int *p = malloc(sizeof *p);
  *p = 1;
  *given = 2;
  *give() = 3;
  assert(*p == 1);
}
void either(int n) {
  int local, *p = n ? &local : malloc(sizeof *p);
  *p = 1;
  unknown();
  assert(*p == 1);
}

// Somebody knows it here.
void told_array(void) {
  char text[20];
  take(text);
  text[1] = 0;
  unknown();
  assert(text[1] == 0);
}
void told(void) {
  int *p = malloc(sizeof *p);
  take(p);
  *p = 1;
  unknown();
  assert(*p == 1);
}
void shown(void) {
  int *p = malloc(sizeof *p);
  seen = p;
  *p = 1;
  unknown();
  assert(*p == 1);
}
void stored(void) {
  int *p = malloc(sizeof *p), **holder = malloc(sizeof *holder);
  *holder = p;
  take(holder);
  *p = 1;
  unknown();
  assert(*p == 1);
}
void other_of_two(void) {
  int *p = malloc(sizeof *p), *q = p;
  take(q + 1);
  *p = 1;
  unknown();
  assert(*p == 1);
}
