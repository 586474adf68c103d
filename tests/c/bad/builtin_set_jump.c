// SPDX-License-Identifier: Apache-2.0
static void *buffer[5];
int main(void) {
  return __builtin_setjmp(buffer); // ERROR@10: __builtin_setjmp.*not supported
}
