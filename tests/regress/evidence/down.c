// SPDX-License-Identifier: Apache-2.0
void out(void);

void down(int n) {
  out();
  if (n > 0) down(n - 1);
}
