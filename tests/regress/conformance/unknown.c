// SPDX-License-Identifier: Apache-2.0
// Calls two routines that nobody describes.
int probe(int x);
void *malloc(unsigned long size);

int f(int x) {
  int *p = malloc(4);
  if (probe(x) > 3) return 1;
  return p == 0 ? 2 : 0;
}
