// SPDX-License-Identifier: Apache-2.0
// Registers change without the program: what was read once need not be read
// again.
#include <stdbool.h>

struct device {
  unsigned status;
  unsigned ready : 1;
  bool idle;
};

extern volatile struct device *const port;
extern volatile int flag;
void start(void);
void stop(void);

int wait(void) {
  start();
  while (port->status & 1) {
  }
  if (port->status & 1) return -1;
  stop();
  return 0;
}

int twice(void) {
  int first = flag;
  return first == flag;
}

int field(void) { return port->ready + port->idle; }

int copied(void) {
  struct device a = *port;
  struct device b = *port;
  return a.status == b.status;
}
