// SPDX-License-Identifier: Apache-2.0
// Types and inline functions that several files share by a header.
#include <stdio.h>

#include "stack.h"

static int reverse(const char *text) {
  struct stack s = {.top = 0};
  int n = 0;
  while (*text) push(&s, *text++);
  while (s.top) n = n * 3 + pop(&s);
  return n;
}

int main(void) {
  printf("%d\n", reverse("stack"));
  struct stack s = make(5);
  printf("%d %d %d\n", s.top, depth(&s), twice(4));
  shared_total += sum(s);
  printf("%d %d\n", shared_total, (int)names[1][0]);
  operation f = lookup('+');
  printf("%d %d\n", f(2, 3), lookup('-')(2, 3));
  printf("%d %d\n", next_id(), next_id_elsewhere());
  return pop(&s);
}
