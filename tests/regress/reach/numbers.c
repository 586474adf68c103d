// SPDX-License-Identifier: Apache-2.0
// Memory at addresses that are written as numbers, such as registers of a
// device: pointers of the program, and from outside, may point there.
#include <assert.h>
#include <stddef.h>

struct registers { int control; int status; };
struct channel { int *buffer; int length; };
#define DEVICE ((struct registers *)0x1000)
#define STATUS (*(volatile int *)0x1004)
#define PORTS ((volatile unsigned *)0x40000000)
#define PORT1 (*(volatile unsigned *)0x40000004)
#define CHANNEL ((volatile struct channel *)0x2000)

static struct registers simulated;
static struct registers *current;
static struct registers *const fixed = (void *)0x1000;
static unsigned long base = 0x3000;
int ask(void);
void unknown(void);

void given(struct registers *registers) {
  DEVICE->control = 1;
  registers->control = 2;
  assert(DEVICE->control == 1);
}
void compared(struct registers *registers) {
  if (registers != DEVICE) return;
  registers->status = 1;
  DEVICE->status = 2;
  assert(registers->status == 1);
}
void member_given(int *member) {
  fixed->status = 1;
  *member = 2;
  assert(fixed->status == 1);
}
void bytes_given(char *bytes) {
  DEVICE->status = 1;
  *bytes = 2;
  assert(DEVICE->status == 1);
}
void other_type_given(long *other) {
  DEVICE->control = 1;
  *other = 2;
  assert(DEVICE->control == 1);
}

void chosen(void) {
  current = ask() ? &simulated : DEVICE;
  DEVICE->control = 1;
  current = DEVICE;
  current->control = 2;
  assert(DEVICE->control == 1);
}
void kept_apart(void) {
  DEVICE->control = 1;
  current = &simulated;
  current->control = 2;
  DEVICE->status = 3;
  assert(DEVICE->control == 1 && simulated.control == 2);
}
void seen_twice(void) {
  DEVICE->status = 1;
  STATUS = 2;
  assert(DEVICE->status == 1);
}
void indexed(unsigned i) {
  if (i > 3) return;
  PORT1 = 1;
  PORTS[i] = 2;
  assert(PORT1 == 1 || i == 1);
#ifdef ALWAYS
  assert(PORT1 == 1);
#endif
}
void computed(void) {
  static volatile unsigned shadow;
  volatile unsigned *at = &shadow;
  if (ask()) at = (volatile unsigned *)(base + 4);
  base = 0x3000;
  *(volatile unsigned *)(base + 4) = 1;
  *at = 2;
  assert(*(volatile unsigned *)(base + 4) == 1);
}
void told(void) {
  int buffer = 1;
  CHANNEL->buffer = &buffer;
  unknown();
  assert(buffer == 1);
}
void called(void) {
  ((void (*)(void))0x8000)();
  assert(0);
}

struct list { struct list *next, *prev; };
void poisoned(void) {
  struct list head, entry;
  head.next = head.prev = &entry;
  entry.next = entry.prev = &head;
  entry.next->prev = entry.prev;
  entry.prev->next = entry.next;
  entry.next = (void *)0x100100;
  entry.prev = (void *)0x200200;
  assert(head.next == &head && head.prev == &head);
}
