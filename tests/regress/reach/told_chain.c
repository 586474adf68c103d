// SPDX-License-Identifier: Apache-2.0
// Who gets an object also gets to what is in the objects that it points to.
#include <assert.h>
void take(void *);
void other(void);
int main(void) {
  int x = 1, *b = &x, **a = &b;
  other();
  assert(x == 1);
  take(&a);
  other();
#ifdef TOLD
  assert(x == 1);
#endif
}
