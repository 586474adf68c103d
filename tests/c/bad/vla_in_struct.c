// SPDX-License-Identifier: Apache-2.0
int main(int n) {
  struct {
    int a[n]; // ERROR@9: constant size|variable length array in struct
  } s;
  return sizeof s;
}
