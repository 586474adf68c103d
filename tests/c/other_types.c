// SPDX-License-Identifier: Apache-2.0
// Functions that are called through pointers of other types, and errno.
#include <errno.h>
#include <stdio.h>

typedef void (*callback)(void *);
static int count;
static void plain(void) { count++; }
static void with(void *at) { *(int *)at += 10; }
static int first(int a, int b) { return b == 0 ? a : a; }
static int nothing_of(int a, int b, int c) { return 7; }

static int call(int (*f)(int), int x) { return f(x); }

int main(void) {
  callback table[] = {(callback)plain, with, (callback)plain};
  int i;
  for (i = 0; i < 3; i++) table[i](&count);
  printf("%d\n", count);
  printf("%d\n", call((int (*)(int))first, 5));
  printf("%d\n", call((int (*)(int))nothing_of, 5));
  printf("%d\n", errno);
  errno = 5;
  if (errno == 5) errno++;
  printf("%d\n", errno);
  return 0;
}
