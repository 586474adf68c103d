// SPDX-License-Identifier: Apache-2.0
int thing(void) { return 2; }
