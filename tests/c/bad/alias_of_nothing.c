// SPDX-License-Identifier: Apache-2.0
extern int x;
extern int y __attribute__((alias("x"))); // ERROR@12: 'y' is an alias of 'x', which is not defined
int main(void) { return y; }
