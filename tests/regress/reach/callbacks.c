// SPDX-License-Identifier: Apache-2.0
// Functions of the program that others call.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct item { int key; };
static int state;
static void (*hook)(int);
static void (*untyped)(void *);
void keep(void (*function)(int));
void poll(void);

static void set(int value) { state = value; }
static void check(struct item *item) { assert(item != NULL); }
static void check_number(int value) { assert(value != 7); }

// Others may have called these before.
void start(void) { keep(set); }
void choose(void) { hook = set; }
void choose_other(void) { untyped = (void (*)(void *))check; }
void start_other(void) { keep(check_number); }

void known_before(void) {
  state = 1;
  poll();
  assert(state == 1);
}
void pointed_to_before(void) {
  state = 1;
  if (hook != NULL) hook(7);
  assert(state == 1);
}
void converted_before(void) {
  if (untyped != NULL) untyped(NULL);
}
void only_noted(void) { poll(); }

// What callbacks write.
static char text[4];
static int *keeper;
static void write_text(void) { sprintf(text, "x"); }
static void write_kept(void) {
  if (keeper != NULL) *keeper = 5;
}
static void write_given(void *given) { ((struct item *)given)->key = 5; }
void call_later(void (*function)(void));
void call_with(void (*function)(void *), void *given);
void take(int *place);

int by_a_routine(void) {
  call_later(write_text);
  text[0] = 'a';
  poll();
  assert(text[0] == 'a');
  return 0;
}
int by_what_is_kept(void) {
  int local = 1;
  keeper = &local;
  call_later(write_kept);
  poll();
  assert(local == 1);
  return 0;
}
int not_yet(void) {
  struct item local = {1};
  call_with(write_given, NULL);
  poll();
  assert(local.key == 1);
  take(&local.key);
  return 0;
}
int by_what_is_given(void) {
  struct item local = {1};
  call_with(write_given, &local);
  poll();
  assert(local.key == 1);
  return 0;
}
int main(void) {
#ifdef CASE
  return CASE();
#endif
}

static int by_key(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  assert(x->key < 10);
  return x->key - y->key;
}
static int same(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  return x->key - y->key;
}
void sorted(int count) {
  struct item items[2] = {{3}, {count}};
  qsort(items, 2, sizeof items[0], by_key);
}
void sorted_without_actions(void) {
  struct item items[2] = {{3}, {4}};
  int before = 1;
  qsort(items, 2, sizeof items[0], same);
  assert(before == 1);
}
void nothing_to_sort(void) {
  struct item items[2] = {{3}, {4}};
  qsort(items, 0, sizeof items[0], by_key);
}
void found(int key) {
  struct item wanted = {key};
  struct item items[2] = {{3}, {4}};
  bsearch(&wanted, items, 2, sizeof items[0], by_key);
}
