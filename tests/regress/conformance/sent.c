// SPDX-License-Identifier: Apache-2.0
void put(int byte);
int more(void);

int run(void) {
  for (int i = 0; i < 3; i++) {
    put(i);
    if (!more()) return -1;
  }
  return 0;
}
