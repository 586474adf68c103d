// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// The lengths of arrays in sizeof and in casts are evaluated, with their side
// effects, exactly where that expression is.
#include <stdio.h>

static int n = 1;
static int next(void) { return n++; }

int main(void) {
  (void)sizeof(int[n++]);
  printf("%d\n", n);
  int no = 0;
  int r = no && sizeof(int[n++]);
  printf("%d %d\n", n, r);
  r = no ? (int)sizeof(int[++n]) : 3;
  printf("%d %d\n", n, r);
  int three[1][3] = {{1, 2, 3}};
  (void)(int(*)[n++]) three;
  printf("%d\n", n);
  r = no ? (*(int(*)[++n])three)[1] : 7;
  printf("%d %d\n", n, r);
  r = no || (sizeof(char[n++]) > 2 && 1);
  printf("%d %d\n", n, r);
  sizeof(char[next()]);
  printf("%d\n", n);

  int v[n], m[2][n], i = 0;
  (void)sizeof(v[i++]);
  printf("%d\n", i);
  r = sizeof(m[i++]);
  printf("%d %d\n", i, r == (int)sizeof v);
  r = sizeof(*({
    i += 5;
    (char(*)[i])0;
  }));
  printf("%d %d\n", i, r);
  return 0;
}
