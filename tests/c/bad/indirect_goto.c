// SPDX-License-Identifier: Apache-2.0
static int run(void *target) {
  goto *target; // ERROR: not supported|indirect goto
}
int main(void) { return run(0); }
