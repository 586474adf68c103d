// SPDX-License-Identifier: Apache-2.0
int main(void) {
  int i = 0;
  for (;; ({ if (i > 3) continue; i++; })) { // ERROR@25: leaving a loop
  }
}
