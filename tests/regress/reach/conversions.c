// SPDX-License-Identifier: Apache-2.0
// Pointers from outside that the program converts: they may point to what it
// takes them to point to.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

struct base { int id; };
struct derived { struct base base; long open; };
struct item { int key; struct base link; long open; };
struct opaque;

static struct derived device;
static struct item item;
static long number;
static struct base *current;

// Others may know all of these.
struct base *device_of(void) { return &device.base; }
struct base *link_of(void) { return &item.link; }
long *number_of(void) { return &number; }
void choose(void) { current = &device.base; }

void first_member(struct base *given) {
  if (given == NULL) return;
  device.open = 0;
  ((struct derived *)given)->open = 1;
#ifdef SAME
  if (given != &device.base) return;
  assert(device.open == 1);
#else
  assert(device.open == 0);
#endif
}

void kept(void) {
  if (current == NULL) return;
  device.open = 0;
  ((struct derived *)current)->open = 1;
  assert(device.open == 0);
}

void member_inside(struct base *given) {
  if (given == NULL) return;
  struct item *found =
      (struct item *)((char *)given - offsetof(struct item, link));
  item.open = 0;
  found->open = 1;
  assert(item.open == 0);
}

void two(struct base *given, struct derived *other) {
  if (given == NULL || other == NULL) return;
  struct derived *seen = (struct derived *)given;
  seen->open = 1;
  other->open = 2;
  assert(seen->open == 1);
}

void handle(struct opaque *given) {
  void *untyped = given;
  struct derived *seen = untyped;
  if (seen == NULL) return;
  device.open = 0;
  seen->open = 1;
  assert(device.open == 0);
}

void integer(uintptr_t given) {
  if (given == 0) return;
  number = 0;
  *(long *)given = 1;
#ifdef SAME
  if (given != (uintptr_t)&number) return;
  assert(number == 1);
#else
  assert(number == 0);
#endif
}

struct holder { int kind; uintptr_t private; };
void integer_in_memory(struct holder *holder, long *other) {
  if (holder == NULL || other == NULL || holder->private == 0) return;
  long *seen = (long *)holder->private;
  *seen = 1;
  *other = 2;
  assert(*seen == 1);
}

static void fail(void) { assert(0); }
void keep(void *);
void tell(void) { keep((void *)fail); }
void function(void *given) {
  if (given == (void *)fail) ((void (*)(void))given)();
}

// No conversion makes one of the other.
void apart(struct item *given, struct derived *other) {
  if (given == NULL || other == NULL) return;
  given->key = 1;
  other->open = 2;
  assert(given->key == 1);
}
