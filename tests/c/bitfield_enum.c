// SPDX-License-Identifier: Apache-2.0
// Bit-fields of enumerations, of booleans, and in arrays of structs.
#include <stdio.h>

enum level { LOW, MIDDLE, HIGH, TOP };
enum signed_level { UNDER = -2, OVER = 1 };

struct entry {
  enum level level : 2;
  enum signed_level relative : 3;
  _Bool on : 1;
  unsigned id : 10;
};

static struct entry table[] = {
    {LOW, UNDER, 1, 1000},
    {.id = 1023, .level = TOP},
    {HIGH, .on = 1},
};

int main(void) {
  for (int round = 0; round < 3; ++round) {
    for (unsigned i = 0; i < sizeof table / sizeof *table; ++i) {
      struct entry *e = table + i;
      printf("%d %d %d %d; ", e->level, e->relative, e->on, e->id);
      e->level++;
      e->relative--;
      e->on = !e->on;
      e->id += 7;
    }
    printf("\n");
  }
  switch (table[0].level) {
    case TOP:
      return 3;
    default:
      return 4;
  }
}
