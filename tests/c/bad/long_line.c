// SPDX-License-Identifier: Apache-2.0
int main(void) { int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8; return a + b + c + d + e + f + g + h + unknown_at_the_end; } // ERROR@117: unknown_at_the_end
