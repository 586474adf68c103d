// SPDX-License-Identifier: Apache-2.0
// Functions that are called through pointers, in the presence of routines that
// nobody knows.
extern int command(void);
extern void reach_error(void);

struct device {
  int state;
  int used;
};
typedef int (*handler)(struct device *, int);

static int start(struct device *d, int value) {
  d->state = 1;
  return value;
}
static int put(struct device *d, int value) {
  if (d->used == 4) return value;
  d->used++;
  return 0;
}

static const handler table[2] = {start, put};
static struct device the_device;

int from_table(void) {
  struct device own = {0, 0};
  for (int i = 0; i < 6; i++) {
    const int number = command();
    if (number < 0 || number > 1) continue;
    table[number](&own, 1);
    if (own.used < 0 || own.used > 4) reach_error();
  }
  return 0;
}

int main(void) {
  for (int i = 0; i < 6; i++) {
    const handler chosen = command() ? start : put;
    chosen(&the_device, 1);
    if (the_device.used < 0 || the_device.used > 4) reach_error();
  }
  return 0;
}

// What is called here may be anything, which then knows the device.
extern handler given(void);
int from_outside(void) {
  struct device own = {0, 0};
  given()(&own, 1);
  command();
  if (own.used < 0 || own.used > 4) reach_error();
  return 0;
}
