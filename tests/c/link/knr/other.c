// SPDX-License-Identifier: Apache-2.0
compute(n, c) char c;
{ return n * c; }

char *name(n) short n;
{
  static char *names[3] = {"zero", "one", "two"};
  return names[n];
}

int reset(p) int *p;
{
  *p = 77;
  return 0;
}
