// SPDX-License-Identifier: Apache-2.0
// Recursion: direct, mutual, deep, and with addresses of outer frames.
#include <stdio.h>

static int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
static int moves;
static void hanoi(int n, char from, char to, char over) {
  if (n == 0) return;
  hanoi(n - 1, from, over, to);
  ++moves;
  if (moves % 5 == 0) printf("%d:%c%c ", moves, from, to);
  hanoi(n - 1, over, to, from);
}
static int sum_up(int n, int *outer) {
  int here = n;
  if (n > 0) sum_up(n - 1, &here);
  *outer += here;
  return here;
}
static void permute(int *a, int k, int n, int *count) {
  if (k == n) {
    int value = 0;
    for (int i = 0; i < n; ++i) value = value * 10 + a[i];
    *count += value;
    return;
  }
  for (int i = k; i < n; ++i) {
    int t = a[k];
    a[k] = a[i];
    a[i] = t;
    permute(a, k + 1, n, count);
    t = a[k];
    a[k] = a[i];
    a[i] = t;
  }
}
struct frame {
  int id;
  const struct frame *up;
};
static int chain(const struct frame *up, int n) {
  struct frame here = {n, up};
  if (n < 6) return chain(&here, n + 1);
  int value = 0;
  for (const struct frame *f = &here; f; f = f->up) value = value * 10 + f->id;
  return value;
}
static int queens(int row, int columns, int left, int right) {
  int found = 0;
  if (row == 6) return 1;
  for (int c = 0; c < 6; ++c) {
    int bit = 1 << c;
    if ((columns | left | right) & bit) continue;
    found += queens(row + 1, columns | bit, (left | bit) << 1,
                    (right | bit) >> 1);
  }
  return found;
}

int main(void) {
  printf("%d %d\n", ackermann(2, 3), ackermann(1, 5));
  printf("%d %d %d\n", is_even(10), is_odd(10), is_odd(301));
  printf("%d\n", gcd(462, 1071));
  hanoi(5, 'a', 'b', 'c');
  printf("%d\n", moves);
  int total = 0;
  printf("%d ", sum_up(10, &total));
  printf("%d\n", total);
  int a[4] = {1, 2, 3, 4}, count = 0;
  permute(a, 0, 4, &count);
  printf("%d\n", count);
  printf("%d\n", chain(0, 1));
  printf("%d\n", queens(0, 0, 0, 0));
  return gcd(100, 75);
}
