/* SPDX-License-Identifier: Apache-2.0 */
/* Routines about which a program knows nothing: they remember each address that
 * they are told and whatever they find in memory that they can see, and change
 * what they know as they like. */
struct pair {
  int value;
  int *to;
};
extern _Bool __VERIFIER_nondet_bool(void);
int *shared;
struct pair visible;

enum { MOST = 16, STRANGE = 77 };
static int *known[MOST];
static struct pair *pairs[MOST];
static int num_known, num_pairs, own;

static void know(int *p) {
  if (!p) return;
  for (int i = 0; i < num_known; i++)
    if (known[i] == p) return;
  if (num_known < MOST) known[num_known++] = p;
}

static void know_pair(struct pair *p) {
  if (!p) return;
  for (int i = 0; i < num_pairs; i++)
    if (pairs[i] == p) return;
  if (num_pairs < MOST) pairs[num_pairs++] = p;
}

static void look(void) {
  know(shared);
  know(visible.to);
  for (int i = 0; i < num_pairs; i++) know(pairs[i]->to);
}

static int *any(void) {
  for (int i = 0; i < num_known; i++)
    if (__VERIFIER_nondet_bool()) return known[i];
  return &own;
}

static int place_of(int *p) {
  for (int i = 0; i < num_known; i++)
    if (known[i] == p) return i;
  return -1;
}

/* Nothing, everything or one of them. */
void unknown(void) {
  look();
  int all = __VERIFIER_nondet_bool();
  int one = all ? -1 : __VERIFIER_nondet_bool() ? place_of(any()) : -1;
  for (int i = 0; i < num_known; i++)
    if (all || i == one) *known[i] = STRANGE;
  for (int i = 0; i < num_pairs; i++) {
    if (all) pairs[i]->value = STRANGE;
    if (all) pairs[i]->to = any();
  }
}

void take(int *p) {
  know(p);
  unknown();
}

void take_pair(struct pair *p) {
  know_pair(p);
  unknown();
}

int *give(void) {
  unknown();
  return any();
}
