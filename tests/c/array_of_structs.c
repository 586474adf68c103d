// SPDX-License-Identifier: Apache-2.0
// Arrays of structs with arrays, sorted and searched.
#include <stdio.h>

struct item {
  char name[8];
  int key;
  short weights[2][2];
};

static struct item items[] = {
    {"pear", 5, {{1, 2}, {3, 4}}},  {"fig", 2, {{5}, {6}}},
    {"apple", 9, {{7, 8}, {9}}},    {"plum", -1, {1, 2, 3, 4}},
    {"cherry", 4, {{0, 0}, {0, 1}}}};
enum { COUNT = sizeof items / sizeof items[0] };

static int compare(const struct item *a, const struct item *b) {
  return a->key < b->key ? -1 : a->key > b->key;
}
static void sort(struct item *first, int n,
                 int (*order)(const struct item *, const struct item *)) {
  for (int i = 1; i < n; ++i) {
    struct item moved = first[i];
    int j = i;
    while (j > 0 && order(&moved, &first[j - 1]) < 0) {
      first[j] = first[j - 1];
      --j;
    }
    first[j] = moved;
  }
}

int main(void) {
  sort(items, COUNT, compare);
  int hash = 0;
  for (const struct item *p = items; p != items + COUNT; ++p) {
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) hash = hash * 31 + p->weights[i][j];
    printf("%s %d %d\n", p->name, p->key, hash);
  }
  struct item *middle = &items[COUNT / 2];
  middle[-1] = middle[1];
  middle[0].weights[1][0] += (*(middle + 2)).weights[0][1];
  printf("%s %d\n", items[1].name, middle->weights[1][0]);
  printf("%d\n", (int)(&items[4] - middle));
  return COUNT;
}
