extern void reach_error(void);
static int down(int n) { return n <= 0 ? 0 : down(n - 1); }
static int (*use)(int);
int main(void) {
  int x = 1;
  use = down;
  if (x != 1) reach_error();
  return 0;
}
