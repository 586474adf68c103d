// SPDX-License-Identifier: Apache-2.0
// Objects to which the program makes pointers of another type, which then come
// back from outside.
#include <assert.h>
#include <stdlib.h>

struct header {
  unsigned char type, length;
};
struct pair {
  int first, second;
};
struct point {
  int x, y;
};
struct other {
  int only;
};

static unsigned char received[64];
static struct header *current;
void on_receive(unsigned at) {
  if (at < 32) current = (struct header *)(received + 2 * at);
}
void buffer(void) {
  if (!current) return;
  received[1] = 0;
  current->length = 9;
  assert(received[1] == 0);
}

static int numbers[4];
static struct pair *kept;
void keep(void) { kept = (struct pair *)numbers; }
void array(void) {
  numbers[0] = 0;
  if (kept) kept->first = 1;
  assert(numbers[0] == 0);
}

// By way of a third type.
static struct point *moved;
void move(struct pair *pair) { moved = (struct point *)pair; }
void chain(void) {
  numbers[1] = 0;
  if (moved) moved->y = 1;
  assert(numbers[1] == 0);
}

// Nothing is made a pointer to this type.
static struct other *alone;
void set(struct other *other) { alone = other; }
void apart(void) {
  numbers[0] = 0;
  if (alone) alone->only = 1;
  assert(numbers[0] == 0);
}

extern void give(struct pair *);
extern struct pair *take(void);
void told(void) {
  int local[2];
  give((struct pair *)local);
  struct pair *back = take();
  local[0] = 0;
  back->first = 1;
  assert(local[0] == 0);
}

void allocated(void) {
  int *memory = malloc(8);
  give((struct pair *)memory);
  struct pair *back = take();
  memory[0] = 0;
  back->first = 1;
  assert(memory[0] == 0);
}

// Of what nobody was told, nothing comes back.
void hidden(void) {
  int local[2];
  struct pair *pair = (struct pair *)local;
  struct pair *back = take();
  pair->first = 0;
  back->first = 1;
  assert(pair->first == 0);
}
