// SPDX-License-Identifier: Apache-2.0
// From a member that is given to one behind it: what is left of the way back to
// the start is a way forward.
#include <assert.h>
#include <stddef.h>

struct list { struct list *next; };
struct item { int key; struct list link; int value; int more[2]; };
#define ITEM(l) ((struct item *)((char *)(l) - offsetof(struct item, link)))

void member_behind(struct list *given, struct item *other) {
  other->value = 1;
  ITEM(given)->value = 2;
  assert(other->value == 1);
}
void element_behind(struct list *given, struct item *other, unsigned i) {
  if (i > 1) return;
  other->more[1] = 1;
  ITEM(given)->more[i] = 2;
  assert(other->more[1] == 1);
}
void another_member(struct list *given, struct item *other) {
  other->value = 1;
  ITEM(given)->key = 2;
  assert(other->value == 1);
}
