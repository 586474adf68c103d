// SPDX-License-Identifier: Apache-2.0
// What is performed in the end depends on a long computation. A specification
// that decides early needs to know its result to simulate the program; for
// traces nothing has to be known.
void step(void);
void even(void);
void odd(void);

int mix(int rounds, int seed) {
  int sum = 0;
  for (int i = 0; i < rounds; i++) {
    step();
    sum = sum * 3 + seed;
    if (sum > 1000) sum -= 777;
  }
  if (sum % 5 == 2) {
    even();
  } else {
    odd();
  }
  return 0;
}
