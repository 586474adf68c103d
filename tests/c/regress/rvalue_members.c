// SPDX-License-Identifier: Apache-2.0
// Members of structs that are not in memory.
#include <stdio.h>

struct s {
  int n;
  short list[3];
  struct {
    char c;
  } in;
};
static struct s make(int n) { return (struct s){n, {n, n + 1, n + 2}, {'c'}}; }

int main(void) {
  struct s a = make(1), b = make(5);
  int yes = 1;
  printf("%d ", (yes ? a : b).n);
  printf("%d\n", (yes = 0, b).list[1]);
  printf("%d %c\n", make(7).list[2], make(8).in.c);
  printf("%d ", (a = b).n);
  printf("%d\n", ({ a; }).list[0]);
  for (int i = 0; i < 3; ++i) printf("%d ", make(i).list[i]);
  return ((struct s){3}).n;
}
