// SPDX-License-Identifier: Apache-2.0
static int f(int a, int b) { return a + b; }
int main(void) {
  return f(1); // ERROR: too few arguments
}
