// SPDX-License-Identifier: Apache-2.0
struct inner {
  char c[8];
};
struct outer {
  struct inner in;
};
static struct outer same(struct outer o) { return o; }

int second(void) {
  struct outer x = {{{1, 2, 3, 4, 5, 6, 7, 8}}}, y;
  y = same(x);
  int total = 0;
  for (int i = 0; i < 8; ++i) total = total * 3 + y.in.c[i];
  return total;
}
