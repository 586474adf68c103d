// SPDX-License-Identifier: Apache-2.0
// Code in the style of CIL's output.
extern int printf(char const *__restrict __format, ...);
extern void *malloc(unsigned long size) __attribute__((__malloc__));
typedef unsigned int u_int32_t;
struct request {
  int state;
  u_int32_t flags;
  struct request *next;
  int (*handler)(struct request *r);
};
typedef struct request REQUEST;
static int count = 0;
int handle(REQUEST *r) {
  int tmp;
  int __cil_tmp3;
  unsigned long __cil_tmp4;
  unsigned long __cil_tmp5;
  {
    {
      __cil_tmp4 = (unsigned long)r;
      __cil_tmp5 = __cil_tmp4 + 4;
      *((u_int32_t *)__cil_tmp5) = *((u_int32_t *)__cil_tmp5) | 16U;
      tmp = count;
      count = count + 1;
    }
    {
      __cil_tmp3 = *((int *)r);
      return (__cil_tmp3 + tmp);
    }
  }
}
int drive(REQUEST *list) {
  REQUEST *r;
  int result;
  int tmp___0;
  int __retres5;
  {
    result = 0;
    r = list;
    {
      while (1) {
      while_0_continue: /* CIL Label */;
        if (!((unsigned long)r != (unsigned long)((void *)0))) {
          goto while_0_break;
        }
        {
          switch (r->state) {
            case 4096:
              goto switch_1_4096;
            case 4097:
              goto switch_1_4097;
            default:
              goto switch_1_default;
              if (0) {
              switch_1_4096: /* CIL Label */
              {
                tmp___0 = (*(r->handler))(r);
                r->state = 4097;
              }
                result = result + tmp___0;
                goto while_0_continue;
              switch_1_4097: /* CIL Label */
                result = result * 3;
                goto switch_1_break;
              switch_1_default: /* CIL Label */
                result = -1;
                goto return_label;
              } else {
              switch_1_break: /* CIL Label */;
              }
          }
        }
        r = r->next;
      }
    while_0_break: /* CIL Label */;
    }
    __retres5 = result;
    goto return_label;
  }
return_label: /* CIL Label */
  return (result);
}
int main(void) {
  REQUEST *a;
  REQUEST *b;
  void *tmp;
  void *tmp___0;
  int tmp___1;
  {
    {
      tmp = malloc((unsigned long)sizeof(REQUEST));
      a = (REQUEST *)tmp;
      tmp___0 = malloc(24UL);
      b = (REQUEST *)tmp___0;
      a->state = 4096;
      a->flags = 1U;
      a->next = b;
      a->handler = &handle;
      b->state = 4097;
      b->flags = 2U;
      b->next = (struct request *)0;
      tmp___1 = drive(a);
    }
    printf("%d %d %u %u\n", tmp___1, count, a->flags, b->flags);
    b->state = 0;
    tmp___1 = drive(a);
    printf((char const *)"%d %d\n", tmp___1, count);
    return (0);
  }
}
