/* SPDX-License-Identifier: Apache-2.0 */
extern void do_a(void), do_b(void), do_c(void);
extern int __VERIFIER_nondet_int(void);
extern int pick(void);

int ab(void) { do_a(); do_b(); return 1; }
int ba(void) { do_b(); do_a(); return 2; }
int choose(void) {
  do_a();
  if (__VERIFIER_nondet_int())
    do_b();
  else
    do_c();
  return 0;
}
int picked(void) { do_a(); return pick(); }
int quiet(void) { return 7; }
int times(int n) {
  for (int i = 0; i < n; i++) do_a();
  return n;
}
