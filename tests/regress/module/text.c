// SPDX-License-Identifier: Apache-2.0
// Where a text lies matters, although only a pointer from outside finds it.
extern int input(void);
extern void reach_error(void);
const char *text = "<";

int first(void) {
  input();
  if (text[0] == '<') reach_error();
  return 0;
}
