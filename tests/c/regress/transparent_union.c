// SPDX-License-Identifier: Apache-2.0
// An argument for a transparent union.
#include <stdio.h>

typedef union {
  int *i;
  const char *text;
} any __attribute__((transparent_union));

static int first(any a, int is_text) { return is_text ? *a.text : *a.i; }

int main(void) {
  int x = 5;
  printf("%d %d\n", first(&x, 0), first("text", 1));
  return 0;
}
