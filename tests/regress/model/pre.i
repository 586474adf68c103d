# 1 "origin.c"
# 1 "<built-in>"
# 1 "<command-line>"
# 1 "header.h" 1
extern int get(void);
# 2 "origin.c" 2


int twice(void)
{
  return 2 * get();
}
