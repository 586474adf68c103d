// SPDX-License-Identifier: Apache-2.0
// What main gets.
#include <assert.h>

int main(int argc, char **argv) {
  assert(argc >= 0);
  assert(argv != 0);
#ifdef MORE
  assert(argc < 3 || argv[1][0] != 'x');
#endif
}
