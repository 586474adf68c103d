// SPDX-License-Identifier: Apache-2.0
#define BROKEN(x) ((x) + )
int main(void) {
  return BROKEN(3); // ERROR: expected expression
}
