// SPDX-License-Identifier: Apache-2.0
// A flexible array member that is initialised makes its object larger.
#include <stdio.h>

static int before = 1;
static struct {
  int n;
  int a[];
} list = {3, {10, 20, 30}};
static int after = 2;
struct named {
  char count;
  const char *names[];
};
static struct named names = {2, {"first", "second"}};
static int last = 3;
static int *all[] = {&before, &after, &last};

int main(void) {
  for (int i = 0; i < list.n; ++i) list.a[i]++;
  printf("%d %d %d\n", list.a[0], list.a[1], list.a[2]);
  for (int i = 0; i < names.count; ++i) printf("%s\n", names.names[i]);
  names.names[1] = "changed";
  printf("%s\n", names.names[1]);
  printf("%d %d %d\n", *all[0], *all[1], *all[2]);
  return 0;
}
