// SPDX-License-Identifier: Apache-2.0
// A loop that counts, around functions that a condition chooses: two ways through
// each round.
void lock(void), unlock(void);
int counted;
static void take(int n) { lock(); }
static void leave(int n) {
  unlock();
  counted += n;
}
int target(int n) {
  int first = 0, i;
  for (i = 0; i < 2; i++) {
    int j;
    for (j = 0; j < 3; j++) (first ? take : leave)(n);
  }
  return 0;
}
