// SPDX-License-Identifier: Apache-2.0
// Structs of many kilobytes, assigned in all ways.
#include <stdio.h>

struct page {
  unsigned char bytes[6000];
  int numbers[300];
};

static struct page a, b, c;

static struct page *fill(struct page *p, int seed) {
  for (int i = 0; i < 6000; ++i) p->bytes[i] = seed + i;
  for (int i = 0; i < 300; ++i) p->numbers[i] = seed * i;
  return p;
}
static unsigned hash(const struct page *p) {
  unsigned h = 0;
  for (int i = 0; i < 6000; i += 7) h = h * 31 + p->bytes[i];
  for (int i = 0; i < 300; ++i) h = h * 33 + p->numbers[i];
  return h;
}

int main(void) {
  a = *fill(&b, 3);
  b = c = a;
  c.bytes[7]++;
  printf("%u %u %u\n", hash(&a), hash(&b), hash(&c));
  struct page local = a.bytes[0] == 3 ? c : a, *p = &local;
  *p = (a = *fill(&b, 5), *p);
  printf("%u %u\n", hash(&a), hash(&local));
  struct page pages[2] = {a, {{1, 2}, {3}}};
  pages[0] = pages[1] = *p;
  pages[1] = (struct page){.numbers = {[299] = 7}};
  printf("%u %u\n", hash(pages), hash(pages + 1));
  return 0;
}
