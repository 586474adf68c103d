// SPDX-License-Identifier: Apache-2.0
// Where objects lie is an assumption where it matters.
extern void reach_error(void);
int a, b;
static void lock(int *first, int *second) {
  if (first > second) reach_error();
}
int main(void) { lock(&a, &b); }
