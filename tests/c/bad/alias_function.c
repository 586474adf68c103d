// SPDX-License-Identifier: Apache-2.0
static int f(void) { return 1; }
int g(void) __attribute__((alias("f"))); // ERROR@5: alias.*not supported
int main(void) { return g(); }
