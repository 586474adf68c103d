// SPDX-License-Identifier: Apache-2.0
// A device that calls back when it is done.
#include <assert.h>
enum st { CLOSED, OPEN, BUSY };
static enum st state = CLOSED;
static int pending;
extern void hw_start(int cmd);
extern void hw_stop(void);
typedef void (*handler)(int);
static handler done;
int drv_open(handler h) {
  if (state != CLOSED || !h) return -1;
  done = h;
  state = OPEN;
  pending = 0;
  return 0;
}
int drv_send(int cmd) {
  if (state != OPEN) return -1;
  state = BUSY;
  pending = pending + 1;
  assert(pending == 1);
  hw_start(cmd);
  return 0;
}
void drv_irq(void) {
  if (state != BUSY) return;
  assert(pending == 1);
#ifdef LATE
  done(0);
#endif
  pending = 0;
#ifdef BUG
  done(0);
#endif
  state = OPEN;
#if !defined LATE && !defined BUG
  done(0);
#endif
}
int drv_close(void) {
  if (state == CLOSED) return -1;
  if (state == BUSY) return -2;
  assert(pending == 0);
  hw_stop();
#ifdef STOP
  assert(pending == 0);
#endif
  state = CLOSED;
  return 0;
}
