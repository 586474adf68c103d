// SPDX-License-Identifier: Apache-2.0
#define TRACING 0

extern void do_a(void), do_b(void);

static const int is_traced = 0;

static void trace(void) { do_b(); }

void plain(void) { do_a(); }
void other(void) { do_b(); }
void by_macro(int n) {
  if (TRACING && n > 3) do_b();
  do_a();
}
void by_constant(void) {
  if (is_traced) trace();
  do_a();
}
void after_return(void) {
  do_a();
  return;
  do_b();
}
void by_variable(void) {
  int is_wanted = 0;

  if (is_wanted) do_b();
  do_a();
}
void both(void) {
  if (TRACING) do_b();
  do_a();
  do_b();
}
