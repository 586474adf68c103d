// SPDX-License-Identifier: Apache-2.0
struct three {
  char c[3];
};
_Atomic struct three t; // ERROR@22: the type '_Atomic\(struct three\)'

int main(void) { return sizeof t; }
