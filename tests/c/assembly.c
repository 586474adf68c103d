// SPDX-License-Identifier: Apache-2.0
// Empty assembly as a barrier, and assembly without outputs.
#include <stdio.h>

static int value = 3;

static inline void barrier(void) { __asm__ __volatile__("" ::: "memory"); }

int main(void) {
  int x = 4;
  asm("");
  asm volatile("" : : : "memory");
  x += value;
  barrier();
  __asm__ __volatile__("nop");
  value = x;
  asm("" : "+r"(x));
  barrier();
  printf("%d %d\n", x, value);
  return x;
}
