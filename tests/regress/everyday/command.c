// SPDX-License-Identifier: Apache-2.0
// Commands in a table of strings; strncmp with a length finds prefixes, too.
#include <assert.h>
#include <string.h>

enum command { NONE, START, STOP, STATUS };

static const struct {
  const char *name;
  enum command command;
} table[] = {{"sta", START}, {"stop", STOP}, {"status", STATUS}};

static enum command look_up(const char *text) {
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
#ifdef PREFIX
    if (strncmp(text, table[i].name, strlen(table[i].name)) == 0)
#else
    if (strcmp(text, table[i].name) == 0)
#endif
      return table[i].command;
  }
  return NONE;
}

int main(void) {
  assert(look_up("stop") == STOP);
  assert(look_up("sto") == NONE);
  assert(look_up("status") == STATUS);
}
