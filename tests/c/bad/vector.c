// SPDX-License-Identifier: Apache-2.0
typedef int vector __attribute__((vector_size(16)));
int main(void) {
  vector v = {1, 2, 3, 4}; // ERROR: not supported
  return v[0];
}
