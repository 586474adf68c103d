// SPDX-License-Identifier: Apache-2.0
int outcome(int failed) { return failed ? -1 : 0; }
