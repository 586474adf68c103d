// SPDX-License-Identifier: Apache-2.0
// Pointers that go through `...`, through inline assembly, and come as inputs.
#include <stdarg.h>

extern void reach_error(void);
extern int *__VERIFIER_nondet_pointer(void);

static void set(int n, ...) {
  va_list list;
  va_start(list, n);
  for (int i = 0; i < n; ++i) *va_arg(list, int *) = 5;
  va_end(list);
}

static int reads;
static va_list *counted(va_list *list) {
  ++reads;
  return list;
}

static int first(int n, ...) {
  va_list list;
  va_start(list, n);
  return va_arg(*counted(&list), int);
}

struct record {
  int value;
  struct record *next;
};

static struct record *same(struct record *r) {
  struct record *result;
  __asm__ volatile("" : "=r"(result) : "0"(r) : "memory");
  return result;
}

int outside = 1;

int main(void) {
  int x = 1, untold = 1;
#if CASE == 1
  set(1, &x);
  if (x == 5) reach_error();
#elif CASE == 2
  set(1, &x);
  if (untold != 1) reach_error();
#elif CASE == 3
  struct record r = {1, 0};
  same(&r)->value = 2;
  if (r.value == 2) reach_error();
#elif CASE == 6  // The same as an integer.
  struct record r = {1, 0};
  unsigned long address;
  __asm__ volatile("" : "=r"(address) : "0"((unsigned long)&r));
  ((struct record *)address)->value = 2;
  if (r.value == 2) reach_error();
#elif CASE == 4
  int *p = __VERIFIER_nondet_pointer();
  if (p == &outside) *p = 2;
  if (outside == 2) reach_error();
#else
  first(1, 2);
  if (reads != 1) reach_error();
#endif
  return 0;
}

extern void anything(void);

static int level;

void tell(void) {
  level = 1;
  __asm__ volatile("" : : "r"(&level) : "memory");
  anything();
  if (level != 1) reach_error();
}

void keep(void) {
  level = 1;
  anything();
  if (level != 1) reach_error();
}
