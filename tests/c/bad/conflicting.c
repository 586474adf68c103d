// SPDX-License-Identifier: Apache-2.0
int f(int);
long f(int); // ERROR@6: conflicting types for 'f'
int main(void) { return 0; }
