// SPDX-License-Identifier: Apache-2.0
extern void do_a(void), do_b(void), do_c(void);
extern int a_or_b(void), maybe_a(void);
extern int __VERIFIER_nondet_int(void);
extern void exit(int);

void just_a(void) { do_a(); }
void just_b(void) { do_b(); }
void a_then_b(void) { do_a(); do_b(); }
void b_then_a(void) { do_b(); do_a(); }
void silent(void) {}
void never_a(void) {
  int wanted = 0;

  do_b();
  if (wanted) do_a();
}
void a_not_b(void) {
  int wanted = 0;

  do_a();
  if (wanted) do_b();
}
void forever_a(void) {
  for (;;) do_a();
}
void server(void) { (void)a_or_b(); }
void b_without_a(void) {
  if (maybe_a() == 0) do_b();
}
void chooser(void) {
  if (__VERIFIER_nondet_int())
    do_a();
  else
    do_b();
}
void quitter(void) {
  do_a();
  exit(1);
}
void spinner(void) {
  for (;;) {
  }
}
int result(int x) {
  do_a();
  return x;
}
