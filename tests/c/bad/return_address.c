// SPDX-License-Identifier: Apache-2.0
int main(void) {
  return __builtin_return_address(0) != 0; // ERROR@10: not supported
}
