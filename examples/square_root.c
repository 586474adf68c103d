/* The integer square root of n, by subtracting odd numbers; but the condition
   of the loop is the negation of what it should be. The signs of the variables
   are enough to see that this fails for every positive n. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  int y = n - 1;
  int x = 0;
  int odd = 1;
  while (y < 0) { /* Should be y >= 0. */
    x = x + 1;
    odd = odd + 2;
    y = y - odd;
  }
  if (!(x * x <= n && n < (x + 1) * (x + 1))) reach_error();
  return 0;
}
