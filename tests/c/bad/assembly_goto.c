// SPDX-License-Identifier: Apache-2.0
int main(void) {
  asm goto("jmp %l0" : : : : there); // ERROR@3: assembly.*not supported
  return 1;
there:
  return 2;
}
