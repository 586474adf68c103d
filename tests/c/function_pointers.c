// SPDX-License-Identifier: Apache-2.0
// Function pointers: tables, parameters, results, fields, and all notations.
#include <stdio.h>

typedef int (*binary)(int, int);
struct operation {
  char name;
  binary run;
  struct {
    int (*inverse)(int, int);
  } in;
};

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int apply(int (*f)(int, int), int a, int b) { return f(a, b); }
static int decayed(int f(int, int)) { return f(5, 6); }
static binary pick(char name) { return name == '+' ? add : sub; }
static int (*picker(int n))(char) {
  static int (*last)(char);
  return n ? last : 0;
}
static binary (*factory(void))(char) { return pick; }
static void each(const int *p, int n, void (*visit)(int, void *), void *data) {
  for (int i = 0; i < n; ++i) visit(p[i], data);
}
static void accumulate(int x, void *data) { *(int *)data += x * x; }

static struct operation table[] = {
    {'+', add, {sub}}, {'-', sub, {add}}, {'*', mul}};

int main(void) {
  for (int i = 0; i < 3; ++i) {
    printf("%c %d ", table[i].name, table[i].run(7, 3));
    if (table[i].in.inverse) printf("%d", table[i].in.inverse(7, 3));
    printf("\n");
  }
  binary f = &add;
  printf("%d %d %d %d\n", f(1, 2), (*f)(1, 2), (**f)(1, 2), (***&f)(1, 2));
  printf("%d %d\n", apply(mul, 4, 5), apply(*sub, 4, 5));
  printf("%d %d\n", decayed(mul), pick('-')(1, 9));
  printf("%d %d\n", factory()('+')(3, 4), picker(1) == 0);
  int numbers[] = {1, 2, 3, 4}, total = 0;
  each(numbers, 4, accumulate, &total);
  printf("%d\n", total);
  binary array[2][2] = {{add, sub}, {mul}};
  binary *row = array[0];
  printf("%d %d %d\n", row[1](9, 4), (*array[1])(3, 3), array[1][1] == 0);
  void (*generic)(void) = (void (*)(void))mul;
  printf("%d\n", ((binary)generic)(6, 7));
  printf("%d %d %d\n", f == add, f != sub, f ? 1 : 0);
  f = table[2].run;
  int x = 2;
  x = (x > 1 ? f : add)(x, x + 1);
  struct operation copy = table[0];
  copy.run = copy.in.inverse;
  return copy.run(50, x);
}
