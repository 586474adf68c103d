// SPDX-License-Identifier: Apache-2.0
// String literals: concatenation, escapes, arrays and pointers.
#include <stdio.h>
#include <string.h>

static char global[] = "global";
static const char *table[] = {"one", "two" "three", "", "tab\there"};
static char grid[][6] = {"alpha", "beta", "c"};
static struct {
  char name[5];
  const char *text;
  char tail[3];
} record = {"abcde", "pointer", "x"};

static int length(const char *s) {
  const char *p = s;
  while (*p) ++p;
  return p - s;
}
static unsigned hash(const char *s, int n) {
  unsigned h = 5381;
  while (n-- > 0) h = h * 33 ^ (unsigned char)*s++;
  return h;
}

int main(void) {
  printf("%s %d %d\n", global, (int)sizeof global, (int)strlen(global));
  for (int i = 0; i < 4; ++i) printf("[%s] %d\n", table[i], length(table[i]));
  for (int i = 0; i < 3; ++i) printf("%s ", grid[i]);
  printf("%d\n", grid[2][3]);
  printf("%c%c %s %s\n", record.name[0], record.name[4], record.text,
         record.tail);
  const char escapes[] = "\a\b\f\n\r\t\v\\\'\"\?\0\1\12\123\x7f\xff" "7";
  printf("%d %u\n", (int)sizeof escapes, hash(escapes, sizeof escapes));
  printf("%c %c %c\n", "hello"[1], *"world", 2 ["xyz"]);
  printf("%d %d\n", (int)sizeof "abc", (int)sizeof("a\0b"));
  char exact[3] = "abc", longer[8] = "abc", braces[] = {"in braces"};
  printf("%c %d %d %s\n", exact[2], longer[3], longer[7], braces);
  char *p = global;
  p[0] = 'G';
  *(p + length(p) - 1) -= 'a' - 'A';
  printf("%s\n", p);
  printf("%d %d %d\n", strcmp("abc", "abd") < 0, strcmp(p, "GlobaL"),
         strcmp("b", "abc") > 0);
  printf("%s\n", "long " "literals "
                 "over lines" + 5);
  printf("%s %d\n", __func__, (int)sizeof __func__);
  return length("four") + "\x05"[0];
}
