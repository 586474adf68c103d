// SPDX-License-Identifier: Apache-2.0
struct s {
  int a;
};
int main(void) {
  struct s x = {1};
  return x.b; // ERROR@12: no member named 'b'
}
