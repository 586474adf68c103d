// SPDX-License-Identifier: Apache-2.0
// memcpy, memmove and memset, overlapping where that is allowed.
#include <stdio.h>
#include <string.h>

static void show(const char *p, int n) {
  for (int i = 0; i < n; ++i) printf("%c", p[i] ? p[i] : '.');
  printf("\n");
}

struct s {
  int a;
  char b[4];
};

int main(void) {
  char text[] = "abcdefghij";
  memmove(text + 2, text, 5);
  show(text, sizeof text);
  memmove(text, text + 3, 6);
  show(text, sizeof text);
  memmove(text, text, 4);
  show(text, sizeof text);
  char *end = memcpy(text + 5, "XYZ", 3);
  show(text, sizeof text);
  printf("%d %c\n", (int)(end - text), *end);
  memset(text + 1, '*', 3);
  show(text, sizeof text);
  memset(text, 0x123 + 'A' - 0x23, 1);
  show(text, sizeof text);
  memcpy(text, "unused", 0);
  memset(text, 0, 0);
  show(text, sizeof text);
  struct s x = {1, "xyz"}, y[3];
  memset(y, 0, sizeof y);
  memcpy(&y[1], &x, sizeof x);
  memcpy(y[2].b, x.b + 1, 2);
  printf("%d %s %s %d\n", y[1].a, y[1].b, y[2].b, y[0].a);
  int numbers[6] = {1, 2, 3, 4, 5, 6};
  memmove(numbers + 1, numbers, 5 * sizeof *numbers);
  for (int i = 0; i < 6; ++i) printf("%d ", numbers[i]);
  memset(numbers + 2, -1, 2 * sizeof *numbers);
  memset(numbers, 1, sizeof *numbers);
  for (int i = 0; i < 6; ++i) printf("%d ", numbers[i]);
  printf("\n");
  long long wide;
  int halves[2] = {0x01020304, 0x05060708};
  memcpy(&wide, halves, sizeof wide);
  printf("%llx\n", wide);
  int n = 3;
  __builtin_memcpy(text, "builtin", n);
  __builtin_memset(text + n, '-', 2);
  show(text, sizeof text);
  char odd[5];
  for (int i = 0; i < 5; ++i) memset(odd + i, 'a' + i, 5 - i);
  show(odd, 5);
  return memcpy(&n, &x, sizeof n) == &n ? n : 9;
}
