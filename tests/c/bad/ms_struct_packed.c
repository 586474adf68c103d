// SPDX-License-Identifier: Apache-2.0
#pragma pack(push, 1)
struct __attribute__((ms_struct)) fields {
  char a;
  int b : 12, : 0, c : 3;
};
#pragma pack(pop)
struct fields f; // ERROR: the type 'struct fields' is not supported

int main(void) { return f.c; }
