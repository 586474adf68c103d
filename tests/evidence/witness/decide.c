// SPDX-License-Identifier: Apache-2.0
// unreach-call: false
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
#define ODD(x) !((x) % 2 == 0)
void reach_error(void) { abort(); }
static int is_large(int x) {
  if (!(x < 100)) return 1;
  return 0;
}
int main(void) {
  int odd = 0, large = 0, i = 0;
  while (!(i == 4)) {
    int x = __VERIFIER_nondet_int();
    if (ODD(x)) odd++;
    if (is_large(x)) { large++; }
    if (x < 0 || x > 1000) return 0;
    i++;
  }
  do {
    i--;
  } while (i > 2);
  for (int k = 0; k < i; k++) {
    if (!large) return 0;
  }
  if (odd == 3)
    if (large == 2)
      if (i == 2) reach_error();
  return 0;
}
