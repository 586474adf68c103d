// SPDX-License-Identifier: Apache-2.0
// What another file calls differently, and what takes the place of a weak alias.
int printf(const char *, ...);
extern int value;
int get(void);
int replaced(void);

int main(void) {
  value = 5;
  printf("%d %d\n", get(), replaced());
  return 0;
}
