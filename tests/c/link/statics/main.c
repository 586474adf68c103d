// SPDX-License-Identifier: Apache-2.0
// Statics, functions and types of one name in two files are different things.
#include <stdio.h>

static int value = 1;
static int count(void) {
  static int n = 10;
  return n++;
}
struct s {
  int a;
};
static struct s s = {5};
enum { LIMIT = 3 };

int other_value(void);
int other_count(void);
int other_s(void);

int main(void) {
  value++;
  printf("%d %d\n", value, other_value());
  printf("%d ", count());
  printf("%d ", other_count());
  printf("%d ", count());
  printf("%d\n", other_count());
  printf("%d %d %d\n", s.a, other_s(), LIMIT);
  return 0;
}
