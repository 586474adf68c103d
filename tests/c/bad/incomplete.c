// SPDX-License-Identifier: Apache-2.0
struct s;
int main(void) {
  struct s x; // ERROR@12: incomplete type
  return 0;
}
