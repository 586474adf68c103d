// SPDX-License-Identifier: Apache-2.0
int main(void) {
  static void *labels[] = {&&one, &&two};
  int n = 1;
  goto *labels[n]; // ERROR@3: computed goto is not supported
one:
  return 1;
two:
  return 2;
}
