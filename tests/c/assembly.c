// SPDX-License-Identifier: Apache-2.0
// Empty assembly as a barrier, assembly without outputs, and operands that do
// something when they are evaluated.
#include <stdio.h>

static int value = 3;

static int cells[4];
static int calls;

static int *next(void) { return &cells[calls++]; }

static int answer(int n) {
  calls += n;
  return n;
}

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
  asm("" : "+r"(*next()));
  asm volatile("nop" : : "r"(answer(2)), "r"(x++));
  int any;
  asm volatile("nop" : "=r"(any) : "r"(answer(x)));
  printf("%d %d %d\n", x, calls, any != any);
  return x;
}
