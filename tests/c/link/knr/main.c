// SPDX-License-Identifier: Apache-2.0
/* FLAGS: -std=gnu89 */
/* Calls of functions in another file that nobody declared. */
int printf();
char *name();

main() {
  int x;
  x = compute(3, 'c');
  printf("%d %s\n", x, name(2));
  reset(&x);
  return x;
}
