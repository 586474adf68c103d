/* SPDX-License-Identifier: Apache-2.0 */
/* Having ended and being stuck look alike once nothing comes after them. */
extern void exit(int);
extern int last_b(void), do_a(void);

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
