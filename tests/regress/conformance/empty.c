// SPDX-License-Identifier: Apache-2.0
extern void on(void);
extern void off(void);

int toggle(int x) {
  on();
  if (x > 3) off();
  return 0;
}

int never(unsigned x) {
  on();
  return x == 0;
}

int silent(void) { return 0; }
