// SPDX-License-Identifier: Apache-2.0
// Blocks that are moved to where there is more room.
#include <stdlib.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

#if CASE == 1 /* What is behind a block is not moved with it. */
int main(void) {
  int *p = malloc(16);
  int *q = calloc(4, 4);
  p = realloc(p, 64);
  q[1] = 1;
  if (p[9] != 0) reach_error();
}
#elif CASE == 2 /* What is in it is, as far as there is room. */
int main(void) {
  int *p = malloc(2 * sizeof *p), *behind = calloc(4, 4);
  p[0] = 3;
  int chosen = p[1] = __VERIFIER_nondet_int();
  p = realloc(p, 6 * sizeof *p);
  if (p[0] != 3 || p[1] != chosen) reach_error();
  p = realloc(p, sizeof *p);
  if (p[0] != 3 || behind[1] != 0) reach_error();
}
#elif CASE == 3 /* Nothing is there before. */
int main(void) {
  int *p = realloc(NULL, 8);
  if (p[1] == 5) reach_error();
}
#elif CASE == 4 /* A list that grows. */
int main(void) {
  int room = 1, n = 0;
  int *p = malloc(sizeof *p);
  while (__VERIFIER_nondet_int() && n < 6) {
    if (n == room) p = realloc(p, (room *= 2) * sizeof *p);
    p[n] = n;
    n++;
  }
  if (n > 0 && p[0] != 0) reach_error();
}
#elif CASE == 5 /* Places that are multiples of what was asked for. */
int main(void) {
  char *a = malloc(3), *b = aligned_alloc(4096, 4096), *c = malloc(1);
  if ((unsigned long)b % 4096 != 0 || a == b || c <= b + 4095) reach_error();
}
#endif
