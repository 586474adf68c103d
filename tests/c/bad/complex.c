// SPDX-License-Identifier: Apache-2.0
int main(void) {
  _Complex double z = 1.0; // ERROR: _Complex.*not supported
  return z == 1.0;
}
