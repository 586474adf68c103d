// SPDX-License-Identifier: Apache-2.0
/* FLAGS: -std=gnu89 */
/* Code as it was written before 1989: implicit int, no prototypes. */
int printf();
extern char *malloc();
counter;
static limit = 3;
register_it(n)
register n;
{
  auto total;
  total = 0;
  while (n) total = total + n, n = n - 1;
  return total;
}
char *find(s, c) char *s;
char c;
{
  for (; *s; s++)
    if (*s == c) return s;
  return 0;
}
apply(f, x) int (*f)();
{ return (*f)(x); }
struct pair {
  int a, b;
};
struct pair flip(p) struct pair p;
{
  struct pair q;
  q.a = p.b;
  q.b = p.a;
  return q;
}
fill(a, n) int a[];
unsigned n;
{
  unsigned i;
  for (i = 0; i < n; i++) a[i] = i * i;
}
const table[] = {1, 2, 3};
main(argc, argv) char **argv;
{
  static calls;
  int a[5];
  struct pair p;
  char *m;
  p.a = 1;
  p.b = 2;
  p = flip(p);
  fill(a, 5);
  m = malloc(3);
  m[0] = 'm';
  printf("%d %s\n", register_it(4), find("k and r", 'r'));
  printf("%d %d %d\n", apply(register_it, 10), a[4], undeclared(6));
  printf("%d %d %c %d\n", p.a, p.b, m[0], table[2]);
  calls += limit + counter;
  return calls;
}
undeclared(n) { return n + 1; }
