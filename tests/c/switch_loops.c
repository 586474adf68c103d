// SPDX-License-Identifier: Apache-2.0
// switch in loops with break and continue, and a loop inside a switch.
#include <stdio.h>

static void machine(const char *input) {
  enum { START, NUMBER, WORD, DONE } state = START;
  int number = 0, words = 0;
  while (state != DONE) {
    char c = *input++;
    switch (state) {
      case START:
        if (c == ' ') continue;
        if (c >= '0' && c <= '9') {
          state = NUMBER;
          number = c - '0';
          break;
        }
        state = c ? WORD : DONE;
        break;
      case NUMBER:
        if (c >= '0' && c <= '9') {
          number = number * 10 + c - '0';
          continue;
        }
        printf("number %d\n", number);
        state = c ? START : DONE;
        break;
      case WORD:
        if (c && c != ' ') break;
        ++words;
        state = c ? START : DONE;
      default:
        break;
    }
  }
  printf("%d words\n", words);
}

int main(void) {
  machine("12 abc 345  de f 6");
  int sum = 0;
  for (int i = 0; i < 10; ++i) {
    switch (i % 4) {
      case 0:
        continue;
      case 1:
        for (int j = 0; j < i; ++j) {
          if (j == 2) continue;
          if (j == 4) break;
          sum += j;
        }
        break;
      case 2:
        sum *= 2;
      default:
        do {
          if (sum > 20) break;
          sum += 3;
        } while (sum % 5);
    }
    sum += 100;
    if (i == 8) break;
  }
  printf("%d\n", sum);
  int n = 3;
  switch (n)
    while (n-- > 0) {
      case 3:
        printf("in %d\n", n);
        if (n == 1) break;
    }
  return n + 5;
}
