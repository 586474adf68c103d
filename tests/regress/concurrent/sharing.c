/* SPDX-License-Identifier: Apache-2.0 */
/* Globals that threads would share. Components have copies. */
extern void do_a(void), do_b(void), bad(void);
int flag, untouched = 3;
static int table[4];
int *pointer = &flag;

void writer(void) {
  flag = 1;
  do_a();
}
void reader(void) {
  do_a();
  if (flag) bad();
}
void reader_by_pointer(void) {
  do_a();
  if (*pointer) bad();
}
void only_reads(void) {
  do_a();
  if (untouched != 3) bad();
}
int counter(int i) {
  table[i & 3]++;
  return table[i & 3];
}
