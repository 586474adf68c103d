// SPDX-License-Identifier: Apache-2.0
static int total;
int count(int by) { return total += by; }
