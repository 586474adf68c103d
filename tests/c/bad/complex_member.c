// SPDX-License-Identifier: Apache-2.0
struct s {
  int a;
  _Complex float z;
};
static struct s x; // ERROR: _Complex.*not supported
int main(void) { return x.a; }
