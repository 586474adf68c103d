// SPDX-License-Identifier: Apache-2.0
static int x = 1;
extern int y __attribute__((alias("x"))); // ERROR@12: alias.*not supported
int main(void) {
  y++;
  return x;
}
