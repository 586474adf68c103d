int shared;
static int helper(int x) { return x + 1; }
extern int right(int);
int main(void) { return right(helper(shared)); }
