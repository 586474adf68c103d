// SPDX-License-Identifier: Apache-2.0
int main(void) {
  if (1) {
    return 0;
}
// ERROR: expected '}'
