// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// Several names for one function, or for one variable.
int printf(const char *, ...);

static int count = 3;
extern int total __attribute__((alias("count")));
static int later;
extern int also_later __attribute__((alias("later")));

struct id {
  short vendor, device;
};
static const struct id table[] = {{1, 2}, {3, 4}, {0, 0}};
extern const struct id exported_table __attribute__((unused, alias("table")));

static int next(int by) {
  total += by;
  return count;
}
int step(int) __attribute__((alias("next")));
int weak_step(int) __attribute__((weak, alias("next")));
static int (*chosen)(int) = step;

int main(void) {
  int *p = &total;
  printf("%d\n", step(2));
  printf("%d\n", count);
  *p += 10;
  printf("%d %d\n", count, p == &count);
  later = 7;
  also_later *= 2;
  printf("%d\n", weak_step(later));
  printf("%d %d\n", chosen(1), chosen == next);
  printf("%d %d\n", exported_table.device, (&exported_table)[1].vendor);
  return 0;
}
