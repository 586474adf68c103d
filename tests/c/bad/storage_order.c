// SPDX-License-Identifier: Apache-2.0
struct s {
  int a;
} __attribute__((scalar_storage_order("big-endian"))); // ERROR@18: the attribute

int main(void) {
  struct s s = {1};
  return *(char *)&s;
}
