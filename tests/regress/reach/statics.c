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

int main(void) {
  told[0] = 1;
  tell();
  unknown();
  if (own == 0) assert(told[0] == 1);
}
