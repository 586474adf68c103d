// SPDX-License-Identifier: Apache-2.0
// Library functions under their built-in names.
#include <stdio.h>

static int length(const char *s) { return __builtin_strlen(s); }

int main(int argc, char **argv) {
  int *p = __builtin_malloc(sizeof *p), *q = __builtin_malloc(sizeof *q);
  *p = 3;
  *q = 4;
  printf("%d %d %d\n", *p, *q, p == q);
  char text[8] = "text";
  printf("%d %d\n", length(text), length(text + 1));
  int *z = __builtin_calloc(2, sizeof *z);
  __builtin_printf("%d %d\n", z[0] + z[1], z != p);
  __builtin_puts("puts");
  __builtin_free(p);
  if (*q == 4) return *q;
  __builtin_abort();
}
