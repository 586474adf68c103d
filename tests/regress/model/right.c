extern int shared;
static int helper(int x) { return x - 1; }
int right(int y) { shared = 5; return helper(y); }
