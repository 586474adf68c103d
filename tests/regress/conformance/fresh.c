// SPDX-License-Identifier: Apache-2.0
// What is allocated now was not there before.
void *malloc(unsigned long size);

int f(int *given) {
  int *made = malloc(4);
  return made == given ? 1 : 0;
}
