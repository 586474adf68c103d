// SPDX-License-Identifier: Apache-2.0
int f(void) { return 1; }
int f(void) { return 2; } // ERROR@5: redefinition of 'f'
int main(void) { return f(); }
