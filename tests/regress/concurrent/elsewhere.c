// SPDX-License-Identifier: Apache-2.0
void do_a(void);
void do_b(void);

void q(void) {
  do_b();
  do_a();
}
void r(void) { do_a(); }
