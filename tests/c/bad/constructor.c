// SPDX-License-Identifier: Apache-2.0
static int x = 1;
__attribute__((constructor)) static void start(void) { // ERROR: constructor.*not supported
  x = 5;
}
int main(void) { return x; }
