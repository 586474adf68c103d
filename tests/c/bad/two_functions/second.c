// SPDX-License-Identifier: Apache-2.0
static int unrelated;
int shared(void) { return unrelated; } // ERROR@5: 'shared' is defined twice
