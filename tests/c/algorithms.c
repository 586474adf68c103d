// SPDX-License-Identifier: Apache-2.0
// Conway's game, a hash and a recursive-descent parser.
#include <stdio.h>
static unsigned s = 1;
static unsigned rnd(void) { return s = s * 1664525u + 1013904223u; }
static int life(void) {
  static unsigned char a[2][18][18];
  int c = 0;
  for (int i = 1; i < 17; i++)
    for (int j = 1; j < 17; j++) a[0][i][j] = rnd() >> 30 == 0;
  for (int g = 0; g < 8; g++) {
    unsigned char(*p)[18] = a[g & 1], (*q)[18] = a[~g & 1];
    for (int i = 1; i < 17; i++)
      for (int j = 1; j < 17; j++) {
        int n = 0;
        for (int y = -1; y <= 1; y++)
          for (int x = -1; x <= 1; x++) n += (y || x) && p[i + y][j + x];
        q[i][j] = n == 3 || (n == 2 && p[i][j]);
      }
  }
  for (int i = 0; i < 18 * 18; i++) c = c * 3 + a[0][0][i];
  return c;
}
static unsigned sha_like(const char* t) {
  unsigned h[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  for (; *t; t++) {
    unsigned f = (h[1] & h[2]) | (~h[1] & h[3]);
    unsigned x = h[0] + f + (unsigned char)*t * 0x9e3779b9u;
    h[0] = h[3];
    h[3] = h[2];
    h[2] = h[1];
    h[1] += x << 7 | x >> 25;
  }
  return h[0] ^ h[1] ^ h[2] ^ h[3];
}
static int parse(const char** p);
static int atom(const char** p) {
  if (**p == '(') {
    ++*p;
    int v = parse(p);
    ++*p;
    return v;
  }
  int v = 0, sg = 1;
  if (**p == '-') {
    sg = -1;
    ++*p;
  }
  while (**p >= '0' && **p <= '9') v = v * 10 + *(*p)++ - '0';
  return sg * v;
}
static int term(const char** p) {
  int v = atom(p);
  while (**p == '*' || **p == '/') {
    char o = *(*p)++;
    int w = atom(p);
    v = o == '*' ? v * w : w ? v / w : 0;
  }
  return v;
}
static int parse(const char** p) {
  int v = term(p);
  while (**p == '+' || **p == '-') {
    char o = *(*p)++;
    int w = term(p);
    v = o == '+' ? v + w : v - w;
  }
  return v;
}
int main(void) {
  printf("%d\n", life());
  printf("%x\n", sha_like("the quick brown fox"));
  const char* e = "2*(3+4)-10/-5*(1-(2-3))";
  printf("%d\n", parse(&e));
  return 0;
}
