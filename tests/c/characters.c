// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// <ctype.h>, for all characters of which C says something.
#include <ctype.h>
#include <stdio.h>

static int classes(int c) {
  int found = 0;
  found |= (isalnum(c) != 0) << 0 | (isalpha(c) != 0) << 1;
  found |= (isblank(c) != 0) << 2 | (iscntrl(c) != 0) << 3;
  found |= (isgraph(c) != 0) << 4 | (islower(c) != 0) << 5;
  found |= (isprint(c) != 0) << 6 | (ispunct(c) != 0) << 7;
  found |= (isspace(c) != 0) << 8 | (isupper(c) != 0) << 9;
  return found;
}

int main(void) {
  int c;
  for (c = -1; c < 128; c++) {
    printf("%d %d %d %d\n", c, classes(c), tolower(c), toupper(c));
  }
  for (c = -1; c < 256; c++) {
    printf("%d %d\n", isdigit(c) != 0, isxdigit(c) != 0);
  }
  return 0;
}
