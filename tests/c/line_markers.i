# 1 "SPDX-License-Identifier: Apache-2.0"
# 1 "<built-in>"
# 1 "<command-line>"
# 1 "original.c"
# 1 "/usr/include/stdio.h" 1 3 4
# 27 "/usr/include/stdio.h" 3 4
extern int printf (const char *__restrict __format, ...);
typedef unsigned long int size_t;
extern void *malloc (size_t __size) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__)) ;
static __inline int
twice (int __x) __attribute__ ((__nothrow__));
static __inline int
__attribute__ ((__nothrow__)) twice (int __x)
{
  return __x * 2;
}
# 2 "original.c" 2
# 10 "original.c"
struct item {
  int value;
  struct item *next;
};

static struct item *cons(int value, struct item *next) {
  struct item *made = malloc(sizeof *made);
  made->value = value;
  made->next = next;
  return made;
}
# 3000 "other.c"
int main(void) {
  struct item *list = cons(1, cons(2, cons(3, ((void *)0))));
  int sum = 0;

  for (; list; list = list->next) sum = sum * 10 + list->value;
  printf("%d %d\n", sum, twice(4));
  return 0;
}
