// SPDX-License-Identifier: Apache-2.0
// A static variable of a function that the target does not use: it is not in
// the compiled program.
void stop(void);

int other(void) {
  static _Bool is_first = 1;
  if (is_first) {
    is_first = 0;
    return 1;
  }
  return 0;
}
int target(int n) {
  if (n == 5) stop();
  return n;
}
