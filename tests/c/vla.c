// SPDX-License-Identifier: Apache-2.0
// Variable-length arrays: one and two dimensions, in loops and recursion.
#include <stdio.h>

static int triangle(int n) {
  int a[n];
  for (int i = 0; i < n; ++i) a[i] = i;
  int sum = sizeof a / sizeof *a * 1000;
  while (n--) sum += a[n];
  return sum;
}
static int table(int rows, int columns) {
  int t[rows][columns];
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) t[i][j] = i * columns + j;
  int sum = 0, (*row)[columns] = t;
  for (; row < t + rows; ++row) sum = sum * 3 + (*row)[columns - 1];
  return sum + (int)sizeof t * 100000 + (int)sizeof t[0] * 1000;
}
static int depth(int n) {
  char path[n + 1];
  for (int i = 0; i < n; ++i) path[i] = 'a' + i;
  path[n] = 0;
  int below = n ? depth(n - 1) : 0;
  printf("%s ", path);
  return below + path[n / 2];
}
static void reverse(int n, char text[n]) {
  char copy[n];
  for (int i = 0; i < n; ++i) copy[i] = text[n - 1 - i];
  for (int i = 0; i < n; ++i) text[i] = copy[i];
}

int main(void) {
  printf("%d %d\n", triangle(1), triangle(20));
  printf("%d %d\n", table(3, 4), table(4, 3));
  printf("%d\n", depth(4));
  for (int i = 1; i < 5; ++i) {
    short a[i], b[i * 2];
    for (int k = 0; k < i * 2; ++k) a[k / 2] = b[k] = k;
    printf("%d %d %d\n", (int)sizeof a, a[i - 1], b[i]);
  }
  char text[] = "reversed";
  reverse(8, text);
  printf("%s\n", text);
  return 0;
}
