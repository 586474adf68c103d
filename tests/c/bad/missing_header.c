// SPDX-License-Identifier: Apache-2.0
#include "no_such_header.h" // ERROR@10: 'no_such_header.h' file not found
int main(void) { return 0; }
