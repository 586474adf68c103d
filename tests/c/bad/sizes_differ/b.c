// SPDX-License-Identifier: Apache-2.0
extern char buffer[8]; // ERROR@13: 'buffer' has another type here
int last(void) { return buffer[7]; }
