// SPDX-License-Identifier: Apache-2.0
char buffer[16];
int guard_two = 2;

void fill(void) {
  for (int i = 0; i < 16; ++i) buffer[i] = i + 1;
}
