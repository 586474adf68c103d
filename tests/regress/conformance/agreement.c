// SPDX-License-Identifier: Apache-2.0
// What lines say about procedures that is not so in C.
#include <string.h>

extern void beep(void);
static int count;
enum mode { Off, On };

int big(void) { return 256; }
unsigned top(void) { return 4294967295u; }
int on_thousand(int v) {
  if (v == 1000) beep();
  return 0;
}
int switched(enum mode m) { return m == On; }

int bump(void) {
  ++count;
  return 1;
}
int is_odd(int v) { return v & 1; }
static void quiet(void) {}
int counted(void) {
  count = 0;
  quiet();
  return count;
}
int copied(void) {
  int a = 1, b = 2;
  memcpy(&a, &b, sizeof a);
  return a;
}
