extern void tick(int);
static int down(int n) { return n == 0 ? 0 : down(n - 1); }
static int twice(int n) { return n + n; }
static int unrelated;
int main(void) {
  int i, noise = 0;
  for (i = 0; i < twice(3); i++) {
    noise += i;
    unrelated = noise;
    tick(i);
  }
  return down(i);
}
