// SPDX-License-Identifier: Apache-2.0
// What a routine without a body can change of what is static.
#include <assert.h>
#include <stdlib.h>

void unknown(void);
void take(int *p);
void on_event(void (*handler)(void));

static int own;       // Nobody has its address.
static int table[4];  // Nor this one's.
static int told[4];   // Its address leaves through `tell`.
static int written;   // By a handler.
static int *pointer;  // Points anywhere at the start.
static int *const constant = &told[1];
int visible;

void tell(void) { take(told); }

void keeps_own(void) {
  own = 1;
  unknown();
  assert(own == 1);
}

void keeps_table(int i) {
  table[i & 3] = 2;
  unknown();
  assert(table[i & 3] == 2);
}

void parameter_is_not_table(int *p) {
  table[1] = 2;
  *p = 3;
  assert(table[1] == 2);
}

void changes_told(void) {
  told[0] = 1;
  unknown();
  assert(told[0] == 1);
}

void parameter_is_told(int *p) {
  told[1] = 2;
  *p = 3;
  assert(told[1] == 2);
}

void pointer_is_told(void) {
  told[1] = 2;
  if (pointer) *pointer = 3;
  assert(told[1] == 2);
}

void pointer_is_not_table(void) {
  table[1] = 2;
  if (pointer) *pointer = 3;
  assert(table[1] == 2);
}

void changes_visible(void) {
  visible = 1;
  unknown();
  assert(visible == 1);
}

static void handler(void) { written = 7; }

void changes_by_handler(void) {
  written = 1;
  on_event(handler);
  assert(written == 1);
}

void keeps_memory(void) {
  pointer = malloc(sizeof *pointer);
  *pointer = 1;
  unknown();
  assert(*pointer == 1);
}

void changes_given_memory(void) {
  pointer = malloc(sizeof *pointer);
  *pointer = 1;
  take(pointer);
  unknown();
  assert(*pointer == 1);
}

void changes_old_memory(void) {
  if (!pointer) return;
  *pointer = 1;
  unknown();
  assert(*pointer == 1);
}

void keeps_local_static(void) {
  static int calls;
  int before = calls++;
  unknown();
  assert(calls == (int)(before + 1u));
}

void tells_later(void) {
  int local = 1;
  unknown();
  assert(local == 1);
  take(&local);
}

void tells_in_a_loop(int n) {
  int local = 1;
  for (int i = 0; i < n; i++) {
    unknown();
    assert(local == 1);
    take(&local);
    local = 1;
  }
}

// Addresses that only functions of this file ever have.
struct device {
  int state;
  struct device *next;
};
static struct device device;

static struct device *same(struct device *d) { return d; }

static int start(struct device *d) {
  if (d == &device) d->state = 1;
  return d->state;
}

void keeps_started(void) {
  start(same(&device));
  unknown();
  assert(device.state == 1);
}

static int lent;
static int *lend(int *p) { return p; }
int *give(void) { return lend(&lent); }

void changes_lent(void) {
  lent = 1;
  unknown();
  assert(lent == 1);
}

static int kept;
static int *keeper;
static void keep(int *p) { keeper = p; }
void keep_it(void) { keep(&kept); }

void keeper_is_kept(void) {
  kept = 1;
  if (keeper) *keeper = 2;
  assert(kept == 1);
}

static struct device first, second;
static void chain(struct device *d, struct device *to) { d->next = to; }
void chain_them(void) { chain(&first, &second); }

void next_is_second(void) {
  second.state = 1;
  if (first.next) first.next->state = 2;
  assert(second.state == 1);
}

static int given;
static void set_both(int *p) {
  given = 1;
  *p = 2;
  assert(given == 1);
}
void set_given(void) { set_both(&given); }

static int shown;
static void show(void (*to)(int *), int *p) { to(p); }
void show_it(void (*to)(int *)) { show(to, &shown); }

void changes_shown(void) {
  shown = 1;
  unknown();
  assert(shown == 1);
}

int main(void) {
  told[0] = 1;
  tell();
  unknown();
  if (own == 0) assert(told[0] == 1);
}
