// SPDX-License-Identifier: Apache-2.0
// The assembler knows both functions by one name, so it is taken twice.
void take_again(void) __asm__("take");
void take(void);
void give(void);
void fail(void) __asm__("reach_error");

void twice(void) {
  take_again();
  take();
  give();
}
int main(void) {
  fail();
  return 0;
}
