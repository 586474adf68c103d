// SPDX-License-Identifier: Apache-2.0
int main(int n) {
  switch (n) {
    case 1:
    case 1: // ERROR@10: duplicate case value
      return 2;
  }
  return 0;
}
