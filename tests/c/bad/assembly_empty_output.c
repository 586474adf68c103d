// SPDX-License-Identifier: Apache-2.0
int main(void) {
  int x = 7, i = 5;
  asm("" : "=r"(i) : "0"(x)); // ERROR@3: assembly.*not supported
  return i;
}
