// SPDX-License-Identifier: Apache-2.0
struct pair {
  int x, y;
};
struct pair make(void);
int main(void) {
  return make().x; // ERROR@10: 'make' returns a value of another type
}
