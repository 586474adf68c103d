// SPDX-License-Identifier: Apache-2.0
// Anonymous structs and unions as members.
#include <stdio.h>

struct value {
  int kind;
  union {
    int i;
    struct {
      short low, high;
    };
    char bytes[4];
  };
  struct {
    int x;
    struct {
      int y, z;
    };
  };
};

static struct value global = {1, {.i = 0x00020001}, {3, {4, 5}}};
static struct value named = {.kind = 2, .high = 7, .y = 8, .x = 9};

static int total(struct value v) { return v.kind + v.x + v.y * v.z + v.high; }

int main(void) {
  printf("%d %d %d\n", global.low, global.high, total(global));
  printf("%x %d %d\n", named.i, named.y, total(named));
  struct value v = global, *p = &v;
  p->bytes[1] = 1;
  p->z++;
  p->high--;
  printf("%x %d %d\n", v.i, v.z, total(v));
  union {
    struct {
      unsigned a : 4, b : 4;
    };
    unsigned char byte;
  } u = {.byte = 0xa5};
  u.b++;
  printf("%d %d %x\n", u.a, u.b, u.byte);
  v = (struct value){.low = 3, .z = 6};
  return total(v) + v.i;
}
