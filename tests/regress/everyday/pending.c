// SPDX-License-Identifier: Apache-2.0
// What was submitted is waited for, whatever their number.
int submit(int i);
void wait_done(void);

int transfer(int n) {
  int pending = 0, i, error = 0;
  for (i = 0; i < n; i++) {
    error = submit(i);
    if (error) break;
    pending++;
  }
  if (pending > 7) wait_done();
  while (pending > LEFT) {
    wait_done();
    pending--;
  }
  if (error) return -5;
  return pending;
}
