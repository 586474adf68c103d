// SPDX-License-Identifier: Apache-2.0
int main(void) {
  int x = 3;
  int inner(int y) { return x + y; } // ERROR: function definition
  return inner(4);
}
