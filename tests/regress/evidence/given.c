// SPDX-License-Identifier: Apache-2.0
// Violations that depend on what is given from outside, in all its forms; each
// of them can be shown with a compiled program.
#include <stdbool.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct plain {
  int number;
  char letter;
  long wide;
};

void of_struct(struct plain *p) {
  if (p->number == 7 && p->letter == 'z' && p->wide == -3) reach_error();
}

struct node {
  struct node *next;
  int value;
};

void of_list(struct node *l) {
  if (l && l->next && l->next->next == l && l->value == 1 &&
      l->next->value == 2) {
    reach_error();
  }
}

void of_array(int *a, unsigned n) {
  unsigned i;
  int sum = 0;
  if (n != 3) return;
  for (i = 0; i < n; i++) sum += a[i];
  if (sum == 42 && a[0] == 1 && a[2] == 40) reach_error();
}

void of_text(const char *s) {
  if (s[0] == 'h' && s[1] == 'i' && s[2] == 0) reach_error();
}

union both {
  int number;
  char bytes[4];
  struct {
    short low, high;
  } halves;
};

void of_union(union both *p) {
  if (p->halves.high == -2 && p->bytes[0] == 3) reach_error();
}

struct bits {
  unsigned a : 3;
  int b : 5;
  unsigned c : 12;
};

void of_bits(struct bits *p) {
  if (p->a == 5 && p->b == -7 && p->c == 1000) reach_error();
}

void of_alias(int *a, int *b) {
  *a = 1;
  *b = 2;
  if (*a == 2) reach_error();
}

void of_pointer(int **p) {
  if (*p && **p == 6) reach_error();
}

void of_null(int *p) {
  if (!p) reach_error();
}

struct inner {
  int a[2];
  char c;
};
struct outer {
  struct inner i[2];
  struct inner *p;
};

void of_inner(struct outer *o) {
  if (o->p == &o->i[1] && o->p->a[1] == 5 && o->i[0].c == 1) reach_error();
}

void of_scalars(bool b, unsigned char c, short s, unsigned long u) {
  if (b && c == 200 && s == -5 && u == 1UL << 40) reach_error();
}

typedef void (*callback)(int);
static int last;
static void keep(int x) { last = x; }
static void each(const int *a, int n, callback call) {
  for (int i = 0; i < n; i++) call(a[i]);
}

void of_callback(int *a) {
  each(a, 2, keep);
  if (last == 77) reach_error();
}

int add_one(int x) { return x + 1; }
static int subtract_one(int x) { return x - 1; }

void of_function(int (*f)(int), int x) {
  if (f == add_one && f(x) == 5) reach_error();
}

void of_static_function(int (*f)(int), int x) {
  if (f == subtract_one && f(x) == 5) reach_error();
}

static int state;
static struct {
  int a;
  int b[3];
} kept;

void of_statics(int x) {
  if (state == 5 && kept.b[1] == x && kept.a == 2) reach_error();
  state = x;
  kept.b[1] = x;
  kept.a = x;
}

int table[3][4];

void of_table(int i, int j) {
  if (i < 0 || j < 0 || i > 2 || j > 3) return;
  if (table[i][j] == 99 && i == 2 && j == 3) reach_error();
}

struct device;
struct device *open_device(int);
int read_device(struct device *, char *, int);

void of_routine(void) {
  char b[4] = {0};
  struct device *d = open_device(1);
  if (!d) return;
  if (read_device(d, b, 4) == 4 && b[0] == 'o' && b[3] == '!') reach_error();
}

struct pair {
  int first;
  struct {
    char c;
    double d;
  } second;
  short last[2];
};

void of_struct_value(int before, struct pair p, long after) {
  if (before == 1 && p.first == 2 && p.second.c == 'c' && p.last[1] == -4 &&
      after == 5) {
    reach_error();
  }
}

struct pair get_pair(struct pair *where, int what);

void of_returned_struct(void) {
  struct pair other = {0};
  struct pair p = get_pair(&other, 3);
  if (p.first == 7 && p.last[0] == 8 && other.last[1] == 9) reach_error();
}

void of_wide(unsigned __int128 w) {
  if (w == ((unsigned __int128)3 << 70) + 1) reach_error();
}

int main(int argc, char **argv) {
  if (argc == 2 && argv[1][0] == 'x') reach_error();
  return 0;
}
