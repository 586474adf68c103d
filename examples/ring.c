// SPDX-License-Identifier: Apache-2.0
/* A ring of nodes that pass a token around. Who has it may enter. */
extern void enter(void), leave(void);
extern void pass_token(void), await_token(void);

void node(int has_token) {
  for (;;) {
    if (has_token) {
      enter();
      leave();
      pass_token();
      has_token = 0;
    } else {
      await_token();
      has_token = 1;
    }
  }
}
