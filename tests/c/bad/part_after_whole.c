// SPDX-License-Identifier: Apache-2.0
struct inner {
  int x, y;
};
struct outer {
  struct inner in;
};

int main(void) {
  struct inner given = {1, 2};
  struct outer o = {.in = given, .in.x = 3}; // ERROR@27: a part that is initialised after the whole
  return o.in.y;
}
