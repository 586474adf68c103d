// SPDX-License-Identifier: Apache-2.0
extern void do_a(void), do_b(void), do_c(void);
extern int __VERIFIER_nondet_int(void);

void late(void) {
  do_a();
  if (__VERIFIER_nondet_int())
    do_b();
  else
    do_c();
}
void early(void) {
  if (__VERIFIER_nondet_int()) {
    do_a();
    do_b();
  } else {
    do_a();
    do_c();
  }
}
void twice_a(void) {
  do_a();
  do_a();
}
void forever_a(void) {
  for (;;) do_a();
}
