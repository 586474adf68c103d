// SPDX-License-Identifier: Apache-2.0
// Pointers from outside to several types, and what certificates say of them.
#include <assert.h>

struct buffer { int length; char data[16]; };
struct device { int state; struct buffer *buffer; struct device *next; };
struct outer { int before; struct buffer inside; };
struct seen { int state; int more; };
struct view { int state; int more; };
struct counter { long count; };

static struct counter counters[2];

void two_types(struct device *device, struct buffer *buffer) {
  if (!device || !buffer) return;
  device->state = 1;
  buffer->length = 2;
  assert(device->state == 1);
}
void in_memory(struct device *device) {
  if (!device || !device->buffer) return;
  device->state = 1;
  device->buffer->length = 2;
  assert(device->state == 1);
}
void two_steps(struct device *device) {
  if (!device || !device->next || !device->next->buffer) return;
  device->state = 1;
  device->next->buffer->length = 2;
  assert(device->state == 1);
}
void own_object(struct buffer *buffer, unsigned i) {
  if (!buffer || i > 1) return;
  counters[i].count = 1;
  buffer->length = 2;
  assert(counters[i].count == 1);
}

// Here they are the same, or may be.
long *count_of(unsigned i) { return &counters[i].count; }
void one_type(struct device *device) {
  if (!device || !device->next) return;
  device->state = 1;
  device->next->state = 2;
  assert(device->state == 1);
}
void part(struct outer *outer, struct buffer *buffer) {
  if (!outer || !buffer) return;
  outer->inside.length = 1;
  buffer->length = 2;
  assert(outer->inside.length == 1);
}
void member(struct device *device, int *state) {
  if (!device || !state) return;
  device->state = 1;
  *state = 2;
  assert(device->state == 1);
}
void own_member(long *count, unsigned i) {
  if (!count || i > 1) return;
  counters[i].count = 1;
  *count = 2;
  assert(counters[i].count == 1);
}
static struct view *made_of(struct seen *seen) { return (struct view *)seen; }
void converted(struct seen *seen, struct view *view) {
  if (!seen || !view) return;
  made_of(seen)->state = 1;
  view->state = 2;
  assert(seen->state == 1);
}
