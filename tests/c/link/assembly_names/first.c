// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// ENDS: exit 9
// Second names for the assembler, which are used before the first ones.
int printf(const char *, ...);
extern int again(int) __asm__("count");
extern int count(int);
extern void quit(int) __asm__("exit");

int main(void) {
  printf("%d\n", again(3));
  printf("%d\n", count(4));
  quit(9);
  printf("not here\n");
  return 0;
}
