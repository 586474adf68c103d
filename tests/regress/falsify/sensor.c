// SPDX-License-Identifier: Apache-2.0
// A heater that stays on: first it has to be cold, then hot.
extern int read_sensor(void);
extern void reach_error(void);

struct state {
  int degrees;
  int heats;
  int rounds;
};

int main(void) {
  struct state s = {20, 0, 0};
  while (s.rounds < 1000) {
    s.degrees = read_sensor();
    if (s.degrees < 18)
      s.heats = 1;
    else if (s.degrees > 95)
      s.heats = 0;
    if (s.heats && s.degrees > 90) reach_error();
    s.rounds++;
  }
  return 0;
}

int nothing_to_reach(void) { return 3; }
