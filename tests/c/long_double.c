// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// long double in structs and arrays, only moved about.
#include <stdio.h>
#include <string.h>

struct s {
  char c;
  long double d;
  char e;
};

static long double values[3] = {1.0L, -2.5L, 1e4000L};
static struct s make(int i) {
  struct s s = {'a', 0, 'b'};
  s.d = values[i];
  return s;
}
static void dump(long double *d) {
  unsigned char bytes[10];
  memcpy(bytes, d, sizeof bytes);
  for (int i = 0; i < 10; ++i) printf("%02x", bytes[i]);
  printf("\n");
}

int main(void) {
  printf("%d %d\n", (int)sizeof(long double), (int)sizeof(struct s));
  for (int i = 0; i < 3; ++i) {
    struct s s = make(i), t = s;
    dump(&t.d);
    printf("%c%c\n", t.c, t.e);
  }
  return 0;
}
