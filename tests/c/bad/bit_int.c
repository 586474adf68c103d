// SPDX-License-Identifier: Apache-2.0
int main(void) {
  unsigned _BitInt(37) x = 5; // ERROR: not supported
  return x * x;
}
