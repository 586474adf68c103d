// SPDX-License-Identifier: Apache-2.0
__attribute__((weak)) extern int maybe;

int main(void) {
  return &maybe == 0; // ERROR@11: a weak variable without a definition
}
