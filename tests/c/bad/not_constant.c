// SPDX-License-Identifier: Apache-2.0
int f(void);
int x = f(); // ERROR@9: not a compile-time constant
int main(void) { return x; }
