/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that call themselves, with no specification that says what they do. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void put(void);

static unsigned factorial(unsigned n) { return n == 0 ? 1 : n * factorial(n - 1); }

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

/* Every call has a local of its own, and its caller's. */
static void add(int depth, int *to) {
  int own = 0;
  if (depth == 0) {
    *to += 1;
    return;
  }
  add(depth - 1, &own);
  *to += own + 1;
}

static int without_end(int n) { return n == 0 ? 0 : 1 + without_end(n - 1); }

static int by_pointer(int (*f)(int), int n) { return n <= 0 ? 0 : f(n); }
static int step(int n) { return 1 + by_pointer(step, n - 1); }

void constant(void) {
  if (factorial(5) != 120 || fibonacci(10) != 55) reach_error();
}

void constant_wrong(void) {
  if (fibonacci(10) == 55) reach_error();
}

void bounded(void) {
  unsigned n = __VERIFIER_nondet_uchar() & 15;
  if (is_even(n) != !(n & 1)) reach_error();
}

void bounded_wrong(void) {
  unsigned n = __VERIFIER_nondet_uchar() & 15;
  if (n > 12 && is_odd(n)) reach_error();
}

void locals(void) {
  int sum = 0;
  add(3, &sum);
  if (sum != 4) reach_error();
}

void pointers(void) {
  if (by_pointer(step, 3) != 3) reach_error();
}

void unbounded(void) {
  int n = __VERIFIER_nondet_int();
  if (n >= 0 && without_end(n) != n) reach_error();
}

void unbounded_wrong(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 20 && without_end(n) == 23) reach_error();
}

void puts_twice(int n) {
  if (n <= 0) return;
  put();
  puts_twice(n > 2 ? 1 : n - 1);
}

int caller(int n) {
  puts_twice(n);
  return 0;
}

int count(int n) {
  if (n <= 0) return 0;
  put();
  return count(n - 1) + 1;
}

int shallow(int n) {
  if (n <= 0 || n > 3) return 0;
  put();
  return shallow(n - 1) + 1;
}

int wrong(int n) {
  if (n <= 0) return 0;
  put();
  return wrong(n - 1) - 1;
}
