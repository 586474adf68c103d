/* SPDX-License-Identifier: Apache-2.0 */
/* Paths through functions with events show the names of the source. */
int read_port(void);

int deep(int n) {
  int k = n - 1;
  if (n > 0 && read_port() > n) return deep(k);
  return n;
}

int run(int n) {
  int m = n & 3;
  return deep(m + 1);
}
