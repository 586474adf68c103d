// SPDX-License-Identifier: Apache-2.0
// SEEDS: 1 2 3 4 5 6
// A protocol with a table of handlers, events from inputs, and a time-out.
#include <stdio.h>

extern unsigned __VERIFIER_nondet_uint(void);

enum state { IDLE, CONNECTING, OPEN, CLOSING, STATES };
enum event { CONNECT, ACCEPT, DATA, CLOSE, TIMEOUT, EVENTS };
struct connection {
  enum state state;
  unsigned received, retries;
  struct {
    unsigned char data[4];
    unsigned head : 2, count : 3;
  } queue;
};
typedef enum state (*handler)(struct connection *, unsigned);

static enum state ignore(struct connection *c, unsigned x) { return c->state; }
static enum state connect(struct connection *c, unsigned x) {
  c->retries = 0;
  return CONNECTING;
}
static enum state accept(struct connection *c, unsigned x) { return OPEN; }
static enum state data(struct connection *c, unsigned x) {
  if (c->queue.count == 4) {
    c->received += c->queue.data[c->queue.head++];
    c->queue.count--;
  }
  c->queue.data[(c->queue.head + c->queue.count++) & 3] = x;
  return c->state;
}
static enum state finish(struct connection *c, unsigned x) {
  return c->state == OPEN ? CLOSING : IDLE;
}
static enum state timeout(struct connection *c, unsigned x) {
  return ++c->retries > 2 ? IDLE : c->state;
}

static const handler table[STATES][EVENTS] = {
    [IDLE] = {[0 ... EVENTS - 1] = ignore, [CONNECT] = connect},
    [CONNECTING] = {ignore, accept, ignore, finish, timeout},
    [OPEN] = {ignore, ignore, data, finish, timeout},
    [CLOSING] = {ignore, ignore, data, finish, finish},
};

int main(void) {
  struct connection c = {IDLE};
  for (int i = 0; i < 60; ++i) {
    const unsigned event = __VERIFIER_nondet_uint() % EVENTS;
    const unsigned argument = __VERIFIER_nondet_uint();
    c.state = table[c.state][event](&c, argument);
    printf("%u->%d ", event, c.state);
  }
  printf("\n%u %u %d\n", c.received, c.retries, c.queue.count);
  return c.state;
}
