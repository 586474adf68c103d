// SPDX-License-Identifier: Apache-2.0
__attribute__((weak)) int maybe(int);

int main(void) {
  return maybe ? maybe(3) : 4; // ERROR@10: the address of a weak function
}
