// SPDX-License-Identifier: Apache-2.0
// Pointers to bytes that walk over structs which begin with an array.
#include <stdio.h>

struct head {
  char name[3];
  int value;
  short tail[2];
};
struct nested {
  struct head heads[2];
  long long l;
};

static struct head global = {"ab", 9, {1, 2}};
static struct nested nested = {{{"x", 3}, {"y", 4, {5}}}, -2};

static void dump(const void *p, int n) {
  const unsigned char *c = p;
  while (n--) printf("%d ", *c++);
  printf("\n");
}
static void fill(char *p, char *end) {
  for (char c = 1; p < end; ++p, ++c) *p = c;
}
static int sum(const int *p, const int *end) {
  int total = 0;
  while (p < end) total += *p++;
  return total;
}

int main(void) {
  dump(&global, sizeof global);
  dump(&nested.heads[1], sizeof nested.heads[1]);
  dump(&nested, sizeof nested);
  struct head local;
  fill((char *)&local, (char *)(&local + 1));
  printf("%x %x %d\n", local.value, local.tail[1], local.name[2]);
  fill((char *)nested.heads, (char *)&nested.l);
  printf("%x %lld\n", nested.heads[1].value, nested.l);
  int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
  printf("%d\n", sum(&matrix[0][0], &matrix[0][0] + 6));
  return local.name[0];
}
