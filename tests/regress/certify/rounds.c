// SPDX-License-Identifier: Apache-2.0
// Rounds of a loop that are not alike.
void w(void);

void first_only(void) {
  for (int i = 0; i < 2; i++)
    if (i < 1) w();
}

void down(void) {
  int i = 3;
  while (i) {
    if (i == 2) w();
    i--;
  }
}

void inner(void) {
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      if (i == j && i) w();
}
