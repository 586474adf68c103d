// SPDX-License-Identifier: Apache-2.0
int main(void) {
  int x = 1, y;
  __asm__("mov %1, %0" : "=r"(y) : "r"(x)); // ERROR@3: assembly.*not supported
  return y;
}
