// SPDX-License-Identifier: Apache-2.0
// Takes frames from a line, with bytes that are escaped. The last byte of the
// buffer is reached after many rounds of a loop with many branches.
#define END 0xC0
#define ESCAPE 0xDB
#define ESCAPED_END 0xDC
#define ESCAPED_ESCAPE 0xDD
#define SIZE 64

int next_byte(void);
void take(const unsigned char *frame, int length);
void drop(int reason);

static unsigned char buffer[SIZE];

int receive(void) {
  int length = 0, is_escaped = 0, is_bad = 0, c;
  while ((c = next_byte()) >= 0) {
    if (c == END) {
      if (is_bad)
        drop(1);
      else if (is_escaped)
        drop(2);
      else if (length > 0)
        take(buffer, length);
      length = is_escaped = is_bad = 0;
      continue;
    }
    if (is_escaped) {
      is_escaped = 0;
      if (c == ESCAPED_END) {
        c = END;
      } else if (c == ESCAPED_ESCAPE) {
        c = ESCAPE;
      } else {
        is_bad = 1;
        continue;
      }
    } else if (c == ESCAPE) {
      is_escaped = 1;
      continue;
    }
    if (length LESS SIZE)
      buffer[length++] = (unsigned char)c;
    else
      is_bad = 1;
  }
  return 0;
}
