// SPDX-License-Identifier: Apache-2.0
// GNU statement expressions.
#include <stdio.h>

#define max(a, b)           \
  ({                        \
    __typeof__(a) _a = (a); \
    __typeof__(b) _b = (b); \
    _a > _b ? _a : _b;      \
  })

struct p {
  int x, y;
};

static int early(int n) {
  int r = ({
    if (n > 5) return -1;
    n * 2;
  });
  return r + 1;
}
static int loops(void) {
  int total = 0;
  for (int i = 0; i < 10; ++i) {
    total += ({
      if (i == 3) continue;
      if (i == 7) break;
      i;
    });
  }
  return total;
}

int main(void) {
  int i = 3, j = 4;
  printf("%d ", max(i++, j));
  printf("%d\n", i);
  printf("%d\n", max(max(1, 5), max(4, 2)));
  int v = ({
    int s = 0;
    for (int k = 0; k < 5; ++k) s += k;
    s;
  });
  printf("%d\n", v);
  struct p a = ({
    struct p t = {v, 2};
    t.y += 5;
    t;
  });
  printf("%d %d\n", a.x, a.y);
  printf("%d\n", ({ struct p t = {8, 9}; t; }).y);
  ({ v++; });
  ({
    ;
  });
  printf("%d %d %d\n", v, early(4), early(9));
  printf("%d\n", loops());
  int x = 1;
  x = ({ int x = 5; x + 1; }) + ({ int y = x; y * 100; });
  printf("%d\n", x);
  char *text = ({ static char buffer[4] = "abc"; buffer; });
  printf("%s\n", text);
  if (({ int c = text[0]; c == 'a'; }) && ({ v > 3; })) printf("yes\n");
  int w = ({
    goto inside;
    v = 0;
  inside:
    v + 1;
  });
  return w;
}
