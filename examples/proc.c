// SPDX-License-Identifier: Apache-2.0
/* The running example of the papers about MAGIC, in which `agon check` has its
 * roots: Figure 6 of "An Iterative Framework for Simulation Conformance",
 * Figure 2 of "Efficient Verification of Sequential and Concurrent C Programs".
 *
 * Verified: proc performs a and returns 0, or performs b and returns 2. That
 * it never returns 1 or 3 depends on the value of y. */
extern void do_a(void);
extern void do_b(void);

int proc(void) {
  int x, y = 8; /* x has any value */

  if (x == 0) {
    do_a();
    if (y < 10) {
      return 0;
    } else {
      return 1;
    }
  } else {
    do_b();
    if (y > 5) {
      return 2;
    } else {
      return 3;
    }
  }
}
