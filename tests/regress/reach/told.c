// SPDX-License-Identifier: Apache-2.0
// When a routine without a body knows a variable: from where its address was
// told on, and on the ways on which it was.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pair {
  int value;
  int *to;
};
void unknown(void);
void take(int *p);
void take_pair(struct pair *p);
void take_value(struct pair p);
void take_text(const char *text);
const char *give_text(void);
int *give(void);
int ask(void);
extern int *shared;
extern uintptr_t number;
extern unsigned char buffer[sizeof(int *)];
extern struct pair visible;
static int own = 1;
static int shown = 1;
int *shows = &shown;

void first_round(void) {
  int local = 1;
  for (int i = 0; i < 1; i++) {
    unknown();
    assert(local == 1);
    take(&local);
  }
}
void second_round(void) {
  int local = 1;
  for (int i = 0; i < 2; i++) {
    unknown();
    assert(local == 1);
    take(&local);
  }
}
void pointer_is_kept(void) {
  int local = 1, *p = &local;
  unknown();
  assert(local == 1);
  take(p);
}
void told_on_one_way(void) {
  int local = 1, told = ask();
  if (told) take(&local);
  unknown();
  assert(local == 1 || told);
}
void changed_on_one_way(void) {
  int local = 1, told = ask();
  if (told) take(&local);
  unknown();
  assert(local == 1);
}
void one_of_two(void) {
  int a = 1, b = 1, first = ask();
  int *p = first ? &a : &b;
  take(p);
  unknown();
  assert(first || a == 1);
}
void the_other_of_two(void) {
  int a = 1, b = 1, first = ask();
  int *p = first ? &a : &b;
  take(p);
  unknown();
  assert(!first || a == 1);
}
void by_a_global(void) {
  int local = 1;
  if (ask()) shared = &local;
  unknown();
  assert(local == 1);
}
void by_a_number(void) {
  int local = 1;
  if (ask()) number = (uintptr_t)&local;
  unknown();
  assert(local == 1);
}
void by_a_code(void) {
  int local = 1;
  if (ask()) number = (uintptr_t)&local ^ 5;
  unknown();
  assert(local == 1);
}
void by_bytes(void) {
  int local = 1, *p = &local;
  unsigned char *from = (unsigned char *)&p;
  if (ask()) {
    for (unsigned i = 0; i < sizeof p; i++) buffer[i] = from[i];
  }
  unknown();
  assert(local == 1);
}
void by_value(void) {
  int local = 1;
  struct pair p = {1, &local};
  if (ask()) take_value(p);
  unknown();
  assert(local == 1);
}
void through_memory(void) {
  int local = 1;
  struct pair p = {1, &local};
  if (ask()) take_pair(&p);
  unknown();
  assert(local == 1);
}
void through_memory_that_was_told(void) {
  int local = 1;
  struct pair p = {1, 0};
  take_pair(&p);
  if (ask()) p.to = &local;
  unknown();
  assert(local == 1);
}
void not_yet_through_memory(void) {
  int local = 1;
  struct pair p = {1, &local};
  unknown();
  assert(local == 1);
  take_pair(&p);
}
void by_a_copy(void) {
  int local = 1;
  struct pair p = {1, &local};
  if (ask()) memcpy(&visible, &p, sizeof p);
  unknown();
  assert(local == 1);
}
void from_behind(void) {
  int local = 1;
  if (ask()) take(&local + 1);
  unknown();
  assert(local == 1);
}
static void pass_on(int *p) { take(p); }
void by_a_callee(void) {
  int local = 1;
  for (int i = 0; i < 1; i++) {
    unknown();
    assert(local == 1);
    pass_on(&local);
  }
}
void allocated(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  for (int i = 0; i < 1; i++) {
    unknown();
    assert(*p == 1);
    take(p);
  }
}
void allocated_and_told(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  for (int i = 0; i < 2; i++) {
    unknown();
    assert(*p == 1);
    take(p);
  }
}
void allocated_and_text_told(const char *text) {
  int *p = malloc(sizeof *p);
  *p = 1;
  take_text(text);
  take_text(give_text());
  assert(*p == 1);
  take(p);
}
void allocated_or_another_told(int *other, int first) {
  int *p = malloc(sizeof *p);
  *p = 1;
  take(first ? p : other);
  unknown();
  assert(*p == 1 || !first);
}
void allocated_and_text_given(const char *text) {
  int *p = malloc(sizeof *p);
  *p = 1;
  take(p);
  take_text(text);
  assert(*p == 1);
}
void given_back(void) {
  int local = 1, other;
  take(&other);
  int *p = give();
  *p = 2;
  assert(local == 1);
  take(&local);
}
void through_memory_of_others(struct pair *out) {
  int local = 1;
  out->to = &local;
  unknown();
  assert(local == 1);
}
static int *keeper;
static void tell_keeper(void) { take(keeper); }
void on_event(void (*handler)(void));
void by_a_handler(void) {
  int local = 1;
  keeper = &local;
  on_event(tell_keeper);
  unknown();
  assert(local == 1);
}

int main(void) {
  unknown();
#ifdef SHOWN
  assert(shown == 1);
#endif
  assert(own == 1);
  take(&own);
  take(&shown);
}
