// SPDX-License-Identifier: Apache-2.0
// The length of a variable array is fixed where its type is declared.
#include <stdio.h>

static int corner(int n, int a[n][n], int low) {
  n = 77;
  if (low)
    return a[1][0];
  else
    return a[1][1];
}
static int sum(int n, int m, int a[n][m]) {
  int total = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) total = total * 2 + a[i][j];
  return total;
}
static int by_pointer(int n, int (*p)[n], int i) {
  int (*q)[n] = p + i;
  --n;
  return (*q)[n] + (int)(q - p);
}

int main(void) {
  int v[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  printf("%d %d\n", corner(3, v, 1), corner(3, v, 0));
  printf("%d\n", sum(3, 3, v));
  int w[2][4] = {{1, 0, 1, 1}, {0, 1, 1, 0}};
  printf("%d\n", sum(2, 4, w));
  printf("%d %d\n", by_pointer(3, v, 2), by_pointer(4, w, 1));
  int n = 4;
  typedef int row[n];
  n = 100;
  row r;
  r[3] = 5;
  row *two = (row *)w;
  printf("%d %d %d\n", (int)sizeof(row), (int)sizeof r, two[1][2]);
  int cells[12];
  for (int i = 0; i < 12; ++i) cells[i] = i;
  for (int width = 1; width < 5; ++width) {
    int (*grid)[width] = (int (*)[width])cells;
    printf("%d %d; ", grid[2][width - 1], (int)sizeof *grid);
  }
  printf("\n");
  return r[3];
}
