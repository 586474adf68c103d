// SPDX-License-Identifier: Apache-2.0
int make(void) { return 1; }
