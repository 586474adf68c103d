// SPDX-License-Identifier: Apache-2.0
// A handler runs when nobody calls anything: that it does not is listed.
#include <assert.h>

void (*signal(int, void (*)(int)))(int);
void other(void (*)(int));

int x;
void handler(int number) { x = number; }

int main(void) {
#ifdef SIGNAL
  signal(2, handler);
#else
  other(handler);
#endif
  x = 0;
  assert(x == 0);
}
