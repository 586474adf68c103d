// SPDX-License-Identifier: Apache-2.0
// unreach-call: true
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
static int down(int from) {
  int left = from, i = 0;
  while (left > 0) {
    left--;
    i++;
  }
  if (from > 0 && i != from) reach_error();
  return i;
}
static int often(int x) {
  int j = 0;
  while (j < x) j++;
  return j;
}
int main(void) {
  int open = 0, n = __VERIFIER_nondet_int();
  if (n > 20) return 0;
  down(n);
  often(__VERIFIER_nondet_int() & 3);
  if (often(2) > 2) reach_error();
  while (1) {
    if (open) reach_error();
    open = 1;
    if (__VERIFIER_nondet_int() > 5) return 0;
    open = 0;
  }
}
