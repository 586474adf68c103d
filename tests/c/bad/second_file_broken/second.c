// SPDX-License-Identifier: Apache-2.0
int f(void) { return 1 +; } // ERROR@25: expected expression
