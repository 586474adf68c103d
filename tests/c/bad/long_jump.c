// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
static jmp_buf buffer;
static void leave(void) {
  longjmp(buffer, 1); // ERROR@3: longjmp.*not supported
}
int main(void) {
  leave();
  return 0;
}
