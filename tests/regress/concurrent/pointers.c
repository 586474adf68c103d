// SPDX-License-Identifier: Apache-2.0
extern void do_a(void), do_b(void), do_c(void);

static void a(void) { do_a(); }
static void b(void) { do_b(); }

static void (*const table[])(void) = {a, b};

void other(void) { do_b(); }
void third(void) { do_c(); }
void by_name(void) {
  b();
  a();
}
void by_pointer(void) {
  void (*f)(void) = a;

  f();
}
void by_table(int i) { table[i != 0](); }
void both(void) {
  by_pointer();
  do_b();
}
