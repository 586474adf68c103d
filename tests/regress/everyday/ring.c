// SPDX-License-Identifier: Apache-2.0
// A ring buffer whose counters run over: what comes out went in, in order.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifndef CAPACITY
#define CAPACITY 4
#endif
_Bool __VERIFIER_nondet_bool(void);

struct ring {
  uint8_t bytes[4];
  unsigned head, tail;
};

static bool put(struct ring *ring, uint8_t byte) {
  if (ring->head - ring->tail == CAPACITY) return false;
  ring->bytes[ring->head++ % 4] = byte;
  return true;
}

static bool get(struct ring *ring, uint8_t *byte) {
  if (ring->head == ring->tail) return false;
  *byte = ring->bytes[ring->tail++ % 4];
  return true;
}

int main(void) {
  struct ring ring;
  memset(&ring, 0, sizeof ring);
  ring.head = ring.tail = 0xfffffffeu;
  unsigned in = 0, out = 0;
  for (int i = 0; i < 6; i++) {
    uint8_t byte;
    if (__VERIFIER_nondet_bool()) {
      if (put(&ring, (uint8_t)in)) in++;
    } else if (get(&ring, &byte)) {
      assert(byte == (uint8_t)out);
      out++;
    }
    assert(in - out <= 4);
  }
}
