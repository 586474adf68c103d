// SPDX-License-Identifier: Apache-2.0
// Globals initialised with constants, addresses, functions and offsets.
#include <stddef.h>
#include <stdio.h>

struct node {
  int value;
  struct node *next, *previous;
};
struct s {
  char c;
  short a[4];
  struct {
    int x, y;
  } in;
};

static int plain, array[5] = {1, 2, 3}, *into = &array[2];
static int *past = array + 5;
int tentative;
int tentative;
int tentative = 3;
static struct s s = {'s', {4, 5, 6, 7}, {8, 9}};
static short *element = s.a + 1;
static int *inner = &s.in.y;
static int *computed = (int *)((char *)&s + offsetof(struct s, in.x));
static const char *text = "a text" + 2;
static const char *const *indirect = &text;
extern struct node second, third;
struct node first = {1, &second, &third};
struct node second = {2, &third, &first};
struct node third = {3, &first, &second};
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*const operations[])(int, int) = {add, &sub, 0};
static void *generic = operations;
static long difference = sizeof(struct s) * 3 - (1 ? 4 : 5);
static unsigned char wrapped = 300;
static signed char negative = 200;
static long long shifted = 1LL << 40 | -1 >> 3;
static int *null = 0, *null2 = (int *)(void *)0;
static _Bool truth = 42;
static int compare = sizeof(int) == 4 && 'a' < 'b' ? 11 : 22;
static struct node *chosen = 1 ? &second : (struct node *)0;

int main(void) {
  printf("%d %d %d %d\n", plain, *into, (int)(past - into), tentative);
  printf("%d %d %d\n", *element, *inner, *computed);
  printf("%s %s\n", text, *indirect);
  struct node *p = &first;
  for (int i = 0; i < 7; ++i, p = i & 1 ? p->next : p->previous->previous)
    printf("%d ", p->value);
  printf("%d\n", first.next->next->next == &first);
  for (int i = 0; operations[i]; ++i) printf("%d ", operations[i](7, 3));
  printf("%d\n", ((int (**)(int, int))generic)[1](1, 2));
  printf("%ld %d %d %lld\n", difference, wrapped, negative, shifted);
  printf("%d %d %d %d\n", !null, !null2, truth, compare);
  printf("%d\n", chosen->value);
  *inner = 77;
  element[1]++;
  return s.in.y + s.a[2];
}
