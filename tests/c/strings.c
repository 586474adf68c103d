// SPDX-License-Identifier: Apache-2.0
// Routines of <string.h>. Of a comparison only the sign is told.
#include <stdio.h>
#include <string.h>

static const char *words[] = {"", "a", "ab", "abc", "abd", "b", "abcabc", "\xff", "a\x80"};
enum { kWords = sizeof words / sizeof *words };

static int sign(int x) { return (x > 0) - (x < 0); }

static int place(const char *base, const char *found) {
  return found ? (int)(found - base) : -1;
}

int main(void) {
  for (int i = 0; i < kWords; ++i) {
    const char *w = words[i];
    printf("%d %d\n", (int)strlen(w), (int)strnlen(w, 2));
    printf("%d %d %d\n", place(w, strchr(w, 'b')), place(w, strchr(w, 0)),
           place(w, strrchr(w, 'b')));
    printf("%d %d\n", place(w, strrchr(w, 'a' + 256)), place(w, strrchr(w, 0)));
    for (int j = 0; j < kWords; ++j) {
      printf("%d%d%d ", sign(strcmp(w, words[j])),
             sign(strncmp(w, words[j], 2)), strncmp(w, words[j], 0));
    }
    printf("\n");
  }
  char bytes[] = {1, 0, 2, (char)200, 0}, other[] = {1, 0, 3, 4, 0};
  printf("%d %d %d\n", sign(memcmp(bytes, other, 2)),
         sign(memcmp(bytes, other, 3)), sign(memcmp(bytes + 3, other + 3, 1)));
  printf("%d %d %d\n", place(bytes, memchr(bytes, 2, 5)),
         place(bytes, memchr(bytes, 2, 2)), place(bytes, memchr(bytes, 200, 5)));
  char copy[12] = "???????????";
  printf("%d %s %c\n", place(copy, strcpy(copy, "one")), copy, copy[4]);
  printf("%d %s\n", place(copy, strcat(copy, "two")), copy);
  printf("%d %s\n", place(copy, strncpy(copy, "xy", 1)), copy);
  strncpy(copy, "z", 5);
  for (int i = 0; i < 8; ++i) printf("%d ", copy[i]);
  printf("\n");
  return (int)strlen(copy);
}
