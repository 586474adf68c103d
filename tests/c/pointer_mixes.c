// SPDX-License-Identifier: Apache-2.0
// Pointers to pointers, to rows and to planes, in mixed expressions.
#include <stdio.h>
int main(void) {
  int i = 0, j = 0, k;
  int a[4] = {3, 1, 2, 0};
  k = a[a[a[i]]];
  printf("%d\n", k);
  a[a[0]] = a[a[1]];
  printf("%d\n", a[3]);
  int *p = a, *q;
  q = p += 2;
  *q = *p + 1;
  q--;
  printf("%d %d\n", (int)(q - a), a[2]);
  p = &a[1];
  *p = *(p + 1) = *(p + 2) = 9;
  printf("%d%d%d%d\n", a[0], a[1], a[2], a[3]);
  int **pp = &p;
  **pp = 4;
  *--*pp = 6;
  (*pp)[2] = 8;
  printf("%d%d%d%d\n", a[0], a[1], a[2], a[3]);
  char m[3][4] = {"abc", "def", "ghi"};
  char(*r)[4] = m;
  char *c = *r++;
  c[1] = 'X';
  (*r)[0] = 'Y';
  *(*(r + 1) + 2) = 'Z';
  printf("%s %s %s\n", m[0], m[1], m[2]);
  char *s[] = {m[0], m[1], m[2]}, **t = s + 2;
  printf("%c %c\n", **t, *t[-1]);
  int arr2[2][2][2];
  int n = 0;
  for (int *z = **arr2; z < **arr2 + 8;) *z++ = n++;
  printf("%d %d %d\n", arr2[1][0][1], *(*(*(arr2 + 1) + 1)), (*arr2)[1][0]);
  int(*x)[2][2] = arr2 + 1;
  printf("%d %d\n", (**x)[1], (int)((char *)x - (char *)arr2));
  return 0;
}
