/* SPDX-License-Identifier: Apache-2.0 */
/* Having ended and being stuck look alike once nothing comes after them. */
extern void exit(int);
extern int last_b(void), do_a(void);
extern void __VERIFIER_assume(int);

int stuck(int x) {
  if (x == 1) {
    if (x < 1)
      do_a();
    else
      exit(0);
  }
  last_b();
  return x;
}

int ends(int x) {
  if (x == 1) exit(0);
  do_a();
  return x;
}

/* No execution gets past what is assumed, and none that does not exist can be
 * stuck there. */
int vanishes(int x) {
  do_a();
  __VERIFIER_assume(x > 5 && x < 4);
  do_a();
  return x;
}

int forever(void) {
  for (;;) do_a();
}
