// SPDX-License-Identifier: Apache-2.0
// Whether something lies right behind an object is a matter of places.
extern void reach_error(void);
extern int ask(void);
struct s {
  int x;
};
int a, b, row[3];
struct s one, two;

int main(void) {
#if CASE == 1
  if (&a + 1 == &b) reach_error();
#elif CASE == 2
  int *p = &a;
  p++;
  if (p == &b) reach_error();
#elif CASE == 3
  if ((struct s *)((char *)&one + sizeof one) == &two) reach_error();
#elif CASE == 4
  if (&row[ask()] == &a) reach_error();
#elif CASE == 5
  if (L"x" == L"x") reach_error();
#elif CASE == 6  // Nothing is moved.
  int *p = ask() ? &a : &b;
  if (p == row + 2 || &one == &two) reach_error();
#elif CASE == 7  // Something else is.
  int *p = row;
  p += 2;
  if (&one == &two || p == 0) reach_error();
#endif
}
