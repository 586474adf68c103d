// SPDX-License-Identifier: Apache-2.0
int fits = 1 << 31, wraps = 2147483647 + 1;
int x = 1 << 40; // ERROR: an initialiser with static storage must be a constant
int main(void) { return x; }
