// SPDX-License-Identifier: Apache-2.0
extern void do_a(void), do_b(void);

void ab(void) {
  do_a();
  do_b();
}
void ba(void) {
  do_b();
  do_a();
}
