// SPDX-License-Identifier: Apache-2.0
extern short shared; // ERROR@14: 'shared' has another type here than at .*a.c:2
int get(void) { return shared; }
