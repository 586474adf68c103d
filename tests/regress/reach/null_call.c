// SPDX-License-Identifier: Apache-2.0
// Nothing comes after a call of a null pointer.
extern void reach_error(void);
extern int (*hook)(void);

int main(void) {
  if (!hook) {
    hook();
    reach_error();
  }
  return 0;
}
