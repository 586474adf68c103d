// SPDX-License-Identifier: Apache-2.0
// Duff's device: a loop that a switch enters in the middle.
#include <stdio.h>

static void copy(char *to, const char *from, int count) {
  int n = (count + 7) / 8;
  switch (count % 8) {
    case 0:
      do {
        *to++ = *from++;
        case 7:
          *to++ = *from++;
        case 6:
          *to++ = *from++;
        case 5:
          *to++ = *from++;
        case 4:
          *to++ = *from++;
        case 3:
          *to++ = *from++;
        case 2:
          *to++ = *from++;
        case 1:
          *to++ = *from++;
      } while (--n > 0);
  }
}

static int generator(void) {
  static int state, i;
  switch (state) {
    case 0:
      for (i = 0; i < 3; i++) {
        state = 1;
        return i * i;
        case 1:;
      }
      state = 2;
    case 2:
      return -1;
  }
  return -2;
}

static int into_if(int x) {
  switch (x) {
    case 0:
      if (x) {
        case 1:
          x += 10;
      } else {
        case 2:
          x += 20;
      }
      x += 100;
  }
  return x;
}

int main(void) {
  const char *text = "the quick brown fox jumps";
  for (int i = 1; i <= 26; i += 3) {
    char buffer[32] = {0};
    copy(buffer, text, i);
    printf("[%s]\n", buffer);
  }
  for (int i = 0; i < 5; ++i) printf("%d ", generator());
  printf("\n%d %d %d %d\n", into_if(0), into_if(1), into_if(2), into_if(3));
  return 0;
}
