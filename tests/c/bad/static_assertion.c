// SPDX-License-Identifier: Apache-2.0
_Static_assert(sizeof(char) == 2, "char is small"); // ERROR: char is small
int main(void) { return 0; }
