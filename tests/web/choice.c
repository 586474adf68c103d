// SPDX-License-Identifier: Apache-2.0
// Decides after `a` whether to do `b` or `c`; the specification has to know
// before. A simulation does not exist, though the traces are there.
void a(void);
void b(void);
void c(void);
extern int __VERIFIER_nondet_int(void);

void proc(void) {
  a();
  if (__VERIFIER_nondet_int() > 3)
    b();
  else
    c();
}
