/* SPDX-License-Identifier: Apache-2.0 */
/* A machine whose steps are in a table of functions that nobody changes. */
enum state { IDLE, RUNNING, STOPPED, NUM_STATES };
enum event { GO, HALT, RESET, NUM_EVENTS };

void motor_on(void);
void motor_off(void);
int next_event(void);

static enum state on_go(void) {
  motor_on();
  return RUNNING;
}

static enum state on_halt(void) {
  motor_off();
  return STOPPED;
}

static enum state on_reset(void) { return IDLE; }

typedef enum state (*handler)(void);

static const handler right[NUM_STATES][NUM_EVENTS] = {
    [IDLE] = {[GO] = on_go},
    [RUNNING] = {[HALT] = on_halt},
    [STOPPED] = {[RESET] = on_reset},
};

static const handler wrong[NUM_STATES][NUM_EVENTS] = {
    [IDLE] = {[GO] = on_go},
    [RUNNING] = {[HALT] = on_halt, [RESET] = on_reset},
    [STOPPED] = {[RESET] = on_reset},
};

#define RUN(table)                   \
  enum state s = IDLE;               \
  for (;;) {                         \
    int e = next_event();            \
    if (e < 0) break;                \
    if (e >= NUM_EVENTS) continue;   \
    handler h = (table)[s][e];       \
    if (h) s = h();                  \
  }                                  \
  if (s == RUNNING) motor_off();

void run_right(void) { RUN(right) }
void run_wrong(void) { RUN(wrong) }

/* One that is written is not a table. */
static int limits[3] = {1, 2, 3};
void set_limit(int i, int to) {
  if (i >= 0 && i < 3) limits[i] = to;
}
void limit(int i) {
  if (i < 0 || i > 2) return;
  while (next_event() > 0)
    if (limits[i] > 3) motor_on();
}

static const int steps[3] = {1, 2, 3};
void step(int i) {
  if (i < 0 || i > 2) return;
  while (next_event() > 0)
    if (steps[i] > 3) motor_on();
}
