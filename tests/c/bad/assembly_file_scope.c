// SPDX-License-Identifier: Apache-2.0
int x = 3;
asm(".globl y\n.set y, x"); // ERROR: assembly.*not supported
extern int y;
int main(void) { return ++y; }
