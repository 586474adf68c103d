// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// sizeof does not evaluate its operand, unless that is a variable array.
#include <stdio.h>

struct s {
  char c;
  int i[3];
};

static int calls;
static int f(void) {
  ++calls;
  return 1;
}
static int of_parameter(int a[10]) { return sizeof a; }
static int of_pointer(int (*a)[10]) { return sizeof *a; }

int main(void) {
  int x = 5, array[7], *p = array, two[2][3];
  printf("%d %d\n", (int)sizeof(x++), x);
  printf("%d %d\n", (int)sizeof f(), calls);
  printf("%d %d %d\n", (int)sizeof array, (int)sizeof p, (int)sizeof *p);
  printf("%d %d\n", (int)(sizeof array / sizeof array[0]), (int)sizeof two[0]);
  printf("%d %d\n", of_parameter(array), of_pointer((int(*)[10])array));
  printf("%d %d\n", (int)sizeof(struct s), (int)sizeof(((struct s *)0)->i));
  printf("%d %d\n", (int)sizeof(x = 7), (int)sizeof(char) + x);
  printf("%d\n", (int)sizeof(x ? 1LL : 2));
  printf("%d %d\n", (int)sizeof "text", (int)sizeof(int[4][5]));
  printf("%d %d\n", (int)sizeof(int (*)(void)), (int)sizeof(unsigned char));
  printf("%d %d\n", (int)sizeof(void), (int)sizeof(f));
  printf("%d\n", (int)(sizeof(int) - 5 > 0));
  int n = 3;
  printf("%d\n", (int)sizeof(int[n]));
  printf("%d %d\n", (int)sizeof(char[n++]), n);
  printf("%d %d\n", (int)_Alignof(int), (int)_Alignof(struct s));
  printf("%d %d\n", (int)__alignof__(short), (int)_Alignof(char[3]));
  return sizeof(struct { short a; char b; });
}
