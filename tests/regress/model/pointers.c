struct node { int value; struct node *next; };
static struct node a, b;
static int one(int x) { return x; }
static int two(int x) { return 2 * x; }
extern int choose(void);
int main(void) {
  int (*f)(int) = choose() ? one : two;
  char buffer[4] = {1, 2, 3, 4};
  a.next = &b;
  a.next->value = f(buffer[choose() & 3]);
  return b.value;
}
