// SPDX-License-Identifier: Apache-2.0
// Wide strings and characters of other widths.
#include <stddef.h>
#include <stdio.h>

static wchar_t text[] = L"wide \u20ac";
static const unsigned short utf16[] = u"\U0001F600!";
static const unsigned utf32[] = U"\U0001F600!";
static const char utf8[] = u8"\u00e9\u20ac";

int main(void) {
  int n = 0;
  for (const wchar_t *p = text; *p; ++p, ++n) printf("%x ", (int)*p);
  printf("%d %d\n", n, (int)(sizeof text / sizeof *text));
  for (int i = 0; i < 4; ++i) printf("%x ", utf16[i]);
  printf("%x %x %x\n", utf32[0], utf32[1], utf32[2]);
  for (unsigned i = 0; i < sizeof utf8; ++i)
    printf("%d ", (unsigned char)utf8[i]);
  printf("\n%d %d %x\n", L'a', (int)sizeof L'a', L'\u20ac');
  const wchar_t *joined = L"ab" L"cd";
  printf("%c%c\n", (char)joined[1], (char)joined[2]);
  printf("%d %d\n", 'ab', '\0');
  text[0] = L'W';
  return text[0];
}
