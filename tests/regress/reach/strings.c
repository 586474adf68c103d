// SPDX-License-Identifier: Apache-2.0
// What the C library does with strings decides what is reached.
#include <string.h>

extern void reach_error(void);
extern int nondet_int(void);

static int command(const char *word) {
  if (strcmp(word, "get") == 0) return 1;
  if (strncmp(word, "set", 3) == 0) return 2;
  return 0;
}

int main(void) {
#if CASE == 1  // Known strings.
  char name[8];
  strcpy(name, "get");
  if (strlen(name) != 3 || command(name) != 1) reach_error();
  strcat(name, "all");
  if (command(name) != 0 || strchr(name, 'a') != name + 3) reach_error();
#elif CASE == 2  // A bug that is real whatever the strings are.
  int n = nondet_int();
  if (strlen("abc") == 3 && n == 77) reach_error();
#elif CASE == 3  // Unknown bytes.
  char word[4];
  for (int i = 0; i < 3; ++i) word[i] = (char)nondet_int();
  word[3] = 0;
  if (command(word) == 1 && word[1] != 'e') reach_error();
#elif CASE == 4
  char word[4];
  for (int i = 0; i < 3; ++i) word[i] = (char)nondet_int();
  word[3] = 0;
  if (command(word) == 2) reach_error();
#elif CASE == 5  // The result of a comparison need not be 1.
  if (strcmp("b", "a") != 1) reach_error();
#else
  if (strcmp("b", "a") <= 0) reach_error();
#endif
  return 0;
}
