// SPDX-License-Identifier: Apache-2.0
// What routines of the C library return is not for components to choose.
#include <string.h>

extern void send(void);
extern void receive(void);

static char name[2] = "a";

void same(void) {
  const char other[2] = "a";
  if (strcmp(name, other) != 0) send();
}
int main(void) {
  same();
  return 0;
}
void differs(void) {
  const char other[4] = "abd";
  if (strcmp("abc", other) != 0) send();
}
void server(void) { receive(); }
