// SPDX-License-Identifier: Apache-2.0
/* A stage of a pipeline: a buffer with room for SIZE items. In between it takes
 * whatever comes first, another item or a demand. */
#ifndef SIZE
#define SIZE 2
#endif

extern void put(void), get(void);

enum request { PUT, GET };
extern enum request put_or_get(void);

void buffer(void) {
  int count = 0;

  for (;;) {
    if (count == 0) {
      put();
      count++;
    } else if (count == SIZE) {
      get();
      count--;
    } else if (put_or_get() == PUT) {
      count++;
    } else {
      count--;
    }
  }
}
