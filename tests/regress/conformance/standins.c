/* SPDX-License-Identifier: Apache-2.0 */
/* Described routines that are defined here: static ones, and one that is not in
 * a file that a harness has to include. What they really do is not what the
 * specification says, so that it matters who is called. */
void on(void);
void off(void);

struct reading {
  int value;
  int quality;
};

static int ready(int channel) { return channel < 0; }

static struct reading measure(int channel) {
  struct reading none = {channel, 0};
  return none;
}

static int count;
int advance(int by) { return count += by; }

void run_static(int channel) {
  if (ready(channel)) on();
  off();
}

void run_struct(int channel) {
  struct reading r = measure(channel);
  if (r.quality > 10 && r.value == 7) on();
  off();
}

static void hidden(int by) {
  if (advance(by) > count) on();
  off();
}
void run_hidden(int by) { hidden(by); }
