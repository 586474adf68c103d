// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
static jmp_buf buffer;
int main(void) {
  if (setjmp(buffer)) return 1; // ERROR: setjmp.*not supported
  return 0;
}
