// SPDX-License-Identifier: Apache-2.0
static int count;
static void lock(void) { count++; }
extern void again(void) asm("lock"); // ERROR@13: 'again' is another name of 'lock'
int main(void) {
  lock();
  again();
  return count;
}
