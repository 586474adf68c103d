// SPDX-License-Identifier: Apache-2.0
void begin(void);
void end(void);

// Each round of the loop needs a predicate of its own.
int hard(unsigned n, unsigned x) {
  unsigned sum = 0;
  begin();
  for (unsigned i = 0; i < n; i++) sum += i * x + 3;
  if (n == 100 && x == 2 && sum == 7) begin();
  end();
  return 0;
}

int easy(int n) {
  begin();
  if (n > 3) n = 3;
  if (n > 4) begin();
  end();
  return 0;
}
