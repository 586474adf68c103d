// SPDX-License-Identifier: Apache-2.0
int main(void) {
  return 1 // ERROR@11: expected ';'
}
