// SPDX-License-Identifier: Apache-2.0
int counter;
int initialised = 7;
int table[4];
struct point {
  int x, y;
};
extern struct point origin;
int *pointer;

int bump(void) {
  table[3] = 30;
  origin.y = 40;
  pointer = &counter;
  return ++counter;
}
