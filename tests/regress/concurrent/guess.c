// SPDX-License-Identifier: Apache-2.0
// A routine that would have to know where memory lies of which nobody told it.
#include <stdlib.h>

void take(int *place);
int *give(void);
void bad(void);

int guesses(void) {
  int *own = malloc(sizeof *own);
  int *told = malloc(sizeof *told);
  take(told);
  if (give() == own) bad();
  return 0;
}
int knows(void) {
  int *told = malloc(sizeof *told);
  take(told);
  if (give() == told) bad();
  return 0;
}
int other(void) { return 0; }
