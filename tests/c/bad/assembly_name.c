// SPDX-License-Identifier: Apache-2.0
int b asm("real") = 3;
extern int a asm("real"); // ERROR@12: not supported|defined twice|asm
int main(void) {
  a++;
  return b;
}
