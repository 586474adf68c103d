// SPDX-License-Identifier: Apache-2.0
// malloc, calloc, realloc and free keep contents apart and intact.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
  char *data;
  size_t size, room;
};

static void append(struct buffer *b, char c) {
  if (b->size == b->room) {
    b->room = b->room ? b->room * 2 : 2;
    b->data = realloc(b->data, b->room);
  }
  b->data[b->size++] = c;
}
static int **matrix(int n) {
  int **m = malloc(n * sizeof *m);
  for (int i = 0; i < n; ++i) m[i] = calloc(n, sizeof **m);
  return m;
}

int main(void) {
  struct buffer b = {0};
  for (char c = 'a'; c <= 'z'; ++c) append(&b, c);
  append(&b, 0);
  printf("%s %d %d\n", b.data, (int)b.size, (int)b.room);
  free(b.data);
  int **m = matrix(5);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < i; ++j) m[i][j] = m[j][i] = i * j;
  int sum = 0;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) sum = sum * 3 + m[i][j];
  printf("%d\n", sum);
  for (int i = 0; i < 5; ++i) free(m[i]);
  free(m);
  int *a = malloc(4 * sizeof(int)), *z = calloc(4, sizeof(int));
  memset(a, 0xff, 4 * sizeof(int));
  printf("%d %d %d\n", a[3], z[3], a != z);
  a = realloc(a, 2 * sizeof(int));
  a[1] = 5;
  printf("%d %d\n", a[0], a[1]);
  a = realloc(a, 100 * sizeof(int));
  a[99] = a[1];
  printf("%d %d\n", a[99], z[0]);
  char *r = realloc(NULL, 3);
  r[0] = 'r';
  r[1] = 0;
  printf("%s\n", r);
  free(a);
  free(z);
  free(r);
  free(NULL);
  return 0;
}
