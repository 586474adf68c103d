// SPDX-License-Identifier: Apache-2.0
// What other files may have made of pointers that they see.
extern void reach_error(void);
extern void other(void);
extern int *get(void);

#if CASE == 1  // A pointer to a function of another file.
extern int (*hook)(void);
int main(void) {
  if (hook() == 3) reach_error();
}
#elif CASE == 2
struct ops {
  void (*f)(void);
};
extern struct ops *ops;
int main(void) {
  ops->f();
  reach_error();
}
#elif CASE == 3  // It points to what is here.
extern int *p;
int a[3];
int main(void) {
  *p = 5;
  if (a[0] != 0) reach_error();
}
#elif CASE == 4  // A static variable that others find through a global.
static int g = 1;
int *leak = &g;
int main(void) {
  other();
  if (g != 1) reach_error();
}
#elif CASE == 5
static int g;
static int *const table[] = {&g};
int *const *exported = table;
int main(void) {
  int *q = get();
  g = 0;
  *q = 5;
  if (g != 0) reach_error();
}
#elif CASE == 6  // A static function that others may call.
static int n;
static void f(void) { n = 1; }
void (*hook)(void) = f;
int main(void) {
  other();
  if (n != 0) reach_error();
}
#elif CASE == 7  // Nobody finds it.
static int g = 1;
static int *leak = &g;
int main(void) {
  other();
  if (*leak != 1 || g != 1) reach_error();
}
#endif
