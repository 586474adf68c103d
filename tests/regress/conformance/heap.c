// SPDX-License-Identifier: Apache-2.0
// A variable with a name that could be taken for that of the allocator's.
#include <stdlib.h>

extern void bad(void);

int heap = 0;

void look(void) {
  if (heap == 5) bad();
}

void own(int *q) {
  int *p = malloc(sizeof *p);
  *p = 1;
  *q = 3;
  if (*p != 1) bad();
}

void deep(int *q, int n) {
  int *p = malloc(sizeof *p);
  *p = 1;
  *q = 3;
  if (*p != 1) bad();
  if (n == 1) deep(q, 0);
}
