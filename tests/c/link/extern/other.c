// SPDX-License-Identifier: Apache-2.0
int array[3] = {1, 2, 3};
struct pair {
  short a, b;
} pair = {8, 9};
int scalar = 4;
static int *address = &scalar;
static short *half = &pair.b;
const char *message = "message";
int (*callback)(int);

void change(void) {
  *address += 10;
  *half = -1;
  array[0]++;
  if (callback) *address = callback(*address);
}
