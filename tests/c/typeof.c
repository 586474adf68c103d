// SPDX-License-Identifier: Apache-2.0
// typeof, __auto_type, typedefs of everything.
#include <stdio.h>

typedef int number, *pointer, row[3], function(int);
typedef struct node node;
struct node {
  number value;
  node *next;
};
typedef row matrix[2];
typedef const char *const text;

static function twice;
static int twice(int x) { return 2 * x; }

#define swap(a, b)         \
  do {                     \
    __typeof__(a) t = (a); \
    (a) = (b);             \
    (b) = t;               \
  } while (0)

int main(void) {
  number n = 3;
  pointer p = &n;
  row r = {1, 2, 3};
  matrix m = {{1, 2, 3}, {4, 5, 6}};
  function *f = twice;
  text t = "text";
  typeof(n) k = 4;
  typeof(&n) q = &k;
  typeof(r) s = {7};
  typeof(twice(1)) result = f(*p);
  __auto_type wide = 1LL << 33;
  printf("%d %d %d %d %d\n", *q, s[0] + s[1], result, m[1][2], (int)sizeof m);
  printf("%lld %d %s\n", wide, (int)sizeof wide, t);
  swap(n, k);
  printf("%d %d\n", n, k);
  node one = {1, 0}, two = {2, &one};
  swap(one, two);
  printf("%d %d\n", one.value, one.next == &one);
  typeof(int *) pair[2] = {&n, &k};
  typeof(*pair[0]) v = *pair[1];
  typedef unsigned char number;
  number c = 255;
  c++;
  int side = 0;
  typeof(side++) other = 2;
  return v + c + side + other;
}
