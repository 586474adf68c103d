// SPDX-License-Identifier: Apache-2.0
struct __attribute__((packed)) fields {
  int a : 27;
  unsigned char b : 3 __attribute__((aligned(4)));
};
struct fields f; // ERROR: the type 'struct fields' is not supported

int main(void) { return f.b; }
