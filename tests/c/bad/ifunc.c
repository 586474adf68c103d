// SPDX-License-Identifier: Apache-2.0
static int one(void) { return 1; }
static void *pick(void) { return one; }
int f(void) __attribute__((ifunc("pick"))); // ERROR: ifunc.*not supported
int main(void) { return f(); }
