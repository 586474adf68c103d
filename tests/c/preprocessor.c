// SPDX-License-Identifier: Apache-2.0
// FLAGS: -DFROM_COMMAND_LINE=17 -DEMPTY
// Macros: pasting, strings, variadic, recursion, conditions and lines.
#include <stdio.h>

#define CAT(a, b) a##b
#define XCAT(a, b) CAT(a, b)
#define TEXT(x) #x
#define XTEXT(x) TEXT(x)
#define SHOW(format, ...) printf(format "\n", ##__VA_ARGS__)
#define LIST(X) X(red) X(green) X(blue)
#define AS_ENUM(name) name,
#define AS_TEXT(name) #name,
#if defined EMPTY && FROM_COMMAND_LINE > 10 && !defined(MISSING)
enum colour { LIST(AS_ENUM) count };
#else
#error "not reached"
#endif

static const char *names[] = {LIST(AS_TEXT)};

int main(void) {
  int XCAT(var, FROM_COMMAND_LINE) = 4;
  SHOW("%d", var17);
  SHOW("no arguments");
  SHOW("%s %s", TEXT(FROM_COMMAND_LINE), XTEXT(FROM_COMMAND_LINE));
  for (int i = 0; i < count; ++i) SHOW("%s", names[i]);
#line 500 "renamed.c"
  SHOW("%d %s", __LINE__, __FILE__);
#undef SHOW
#ifdef __GNUC__
  return __COUNTER__ + __COUNTER__ + FROM_COMMAND_LINE;
#endif
}
