// SPDX-License-Identifier: Apache-2.0
// volatile, const, restrict, register and atomic objects are ordinary memory.
#include <stdio.h>

static volatile int shared = 1;
static const int constant = 5;
static volatile struct {
  int a;
  volatile char b[3];
} device;
static _Atomic int atomic = 3;
static _Thread_local int per_thread = 8;

static int add(int *restrict a, const int *restrict b) { return *a += *b; }

int main(void) {
  shared++;
  shared += shared;
  volatile int *p = &shared;
  *p <<= 2;
  printf("%d %d\n", shared, *(const volatile int *)p);
  device.a = constant;
  device.b[1] = device.a++;
  printf("%d %d\n", device.a, device.b[1]);
  register int r = 3;
  r *= r;
  atomic++;
  atomic += 2;
  per_thread--;
  printf("%d %d %d\n", r, atomic, per_thread);
  printf("%d\n", add((int *)p, &constant));
  return shared;
}
