// SPDX-License-Identifier: Apache-2.0
// Proofs about procedures that call each other take for granted what the others
// are specified to do. Where that is not true, they are no proofs.

extern void step(void);

void even(int n);
void odd(int n) {
  if (n > 0) even(n - 1);
}
void even(int n) {
  step();
  if (n > 0) odd(n - 1);
}

void down(int n) {
  if (n > 0) {
    step();
    down(n - 1);
  }
}
void start(int n) { down(n); }

// The proof of one takes the other for granted.
void pong(int n);
void ping(int n) {
  if (n > 0 && n < 4) pong(n - 1);
}
void pong(int n) {
  if (n > 0 && n < 4) ping(n - 1);
}

// Performs nothing, however often it calls itself.
void quiet(int n) {
  if (n > 0) quiet(n - 1);
}
