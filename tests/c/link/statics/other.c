// SPDX-License-Identifier: Apache-2.0
static int value = 100;
static int count(void) {
  static int n = 20;
  return n--;
}
struct s {
  char c[3];
  long l;
};
static struct s s = {"ab", 6};
enum { LIMIT = 30 };

int other_value(void) { return value++ + LIMIT; }
int other_count(void) { return count(); }
int other_s(void) { return s.c[1] + (int)s.l + (int)sizeof s; }
