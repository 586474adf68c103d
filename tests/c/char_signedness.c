// SPDX-License-Identifier: Apache-2.0
// Plain char is signed, and all three char types are distinct.
#include <stdio.h>

static int is_negative(char c) { return c < 0; }

int main(void) {
  char c = 200;
  signed char s = 200;
  unsigned char u = 200;
  printf("%d %d %d\n", c, s, u);
  printf("%d %d %d\n", c == s, c == u, s < u);
  printf("%d %d\n", is_negative('\xff'), '\xff');
  printf("%d %d\n", '\377' == -1, (unsigned char)'\377');
  c = 127;
  c++;
  printf("%d\n", c);
  u = 255;
  u++;
  printf("%d\n", u);
  u = 0;
  u--;
  printf("%d\n", u);
  s = -128;
  s--;
  printf("%d\n", s);
  printf("%d %d\n", (char)(c + 300), (unsigned char)(c + 300));
  printf("%d %d\n", (char)0x180 >> 3, (unsigned char)0x180 >> 3);
  printf("%d\n", 'a' + 'b');
  printf("%d\n", (int)sizeof('a'));
  return c & 255;
}
