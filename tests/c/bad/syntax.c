// SPDX-License-Identifier: Apache-2.0
int main(void) {
  int x = 3;
  return x +; // ERROR@13: expected expression
}
