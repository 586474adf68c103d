// SPDX-License-Identifier: Apache-2.0
int main(void) {
  for (int i = 0;; i++) {
    while (({
      if (i > 3) break; // ERROR@18: leaving a loop from its condition
      1;
    })) {
      i++;
    }
  }
}
