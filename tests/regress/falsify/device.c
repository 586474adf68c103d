// SPDX-License-Identifier: Apache-2.0
// Line 11 leads to an error, but whether it is reached is not known.
extern int unused;
extern void reach_error(void);
double temperature;

int main(void) {
  int status = (int)(temperature * 2.0);
  int ready = 1;
  if (status == 31337)
    ready = 0; /* Line 11. */
  if (ready == 0)
    reach_error();
  return 0;
}
