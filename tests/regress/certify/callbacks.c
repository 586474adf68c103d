// SPDX-License-Identifier: Apache-2.0
// A function that somebody else could call, with an action.
void lock(void);
void remember(void (*function)(void));
static void locked(void) { lock(); }
int start(void) {
  remember(locked);
  return 0;
}
