// SPDX-License-Identifier: Apache-2.0
int replaced(void) { return 77; }
