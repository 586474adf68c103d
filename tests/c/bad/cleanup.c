// SPDX-License-Identifier: Apache-2.0
static void done(int *p) { *p = 0; }
int main(void) {
  int x __attribute__((cleanup(done))) = 3; // ERROR@7: cleanup.*not supported
  return x;
}
