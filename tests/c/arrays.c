// SPDX-License-Identifier: Apache-2.0
// Arrays of one to four dimensions, and pointers to arrays.
#include <stdio.h>

static int cube[2][3][4];
static char grid[3][5] = {"abcd", "efgh", {'i', 'j'}};
static short four[2][2][2][2] = {{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}},
                                 {9, 10, 11, 12}};

static int sum_row(int row[4]) { return row[0] + row[1] + row[2] + row[3]; }
static int sum_plane(int plane[][4], int n) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += sum_row(plane[i]);
  return total;
}
static int (*plane_of(int i))[4] { return cube[i]; }

int main(void) {
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) cube[i][j][k] = i * 100 + j * 10 + k;
  printf("%d %d\n", cube[1][2][3], *(*(*(cube + 1) + 2) + 3));
  printf("%d %d\n", sum_plane(cube[0], 3), sum_plane(cube[1], 3));
  printf("%d %d\n", sum_row(cube[1][1]), (&cube[0][0][0])[23]);
  int(*plane)[3][4] = cube;
  int(*row)[4] = *plane;
  printf("%d %d\n", plane[1][0][1], row[5][2]);
  row += 2;
  printf("%d %d\n", (*row)[3], (int)(row - cube[0]));
  printf("%d\n", plane_of(1)[2][0]);
  printf("%d %d %d %d\n", (int)sizeof cube, (int)sizeof cube[0],
         (int)sizeof *row, (int)sizeof cube[0][0][0]);
  printf("%s %s %s %d\n", grid[0], grid[1], grid[2], grid[2][4]);
  int total = 0;
  for (short *p = &four[0][0][0][0]; p < &four[0][0][0][0] + 16; ++p)
    total = total * 3 + *p;
  printf("%d %d\n", total, four[1][1][0][1]);
  int local[3] = {1}, *q = local, at = 1;
  local[at] = at + 1;
  2 [local] = 9;
  q[-0] += (q + 1)[1];
  printf("%d %d %d\n", local[0], 1 [q], *(local + 2));
  int n = 0;
  int big[1000] = {[999] = 5};
  for (int i = 0; i < 1000; ++i) n += big[i] += i;
  printf("%d\n", n);
  return local[0];
}
