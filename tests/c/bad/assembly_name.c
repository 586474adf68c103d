// SPDX-License-Identifier: Apache-2.0
int b asm("real") = 3; // ERROR@5: assembler is not supported
extern int a asm("real");
int main(void) {
  a++;
  return b;
}
