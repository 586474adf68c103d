// SPDX-License-Identifier: Apache-2.0
int main(void) {
  void *p = &&here; // ERROR: not supported
here:
  return p != 0;
}
