// SPDX-License-Identifier: Apache-2.0
// A port that is read by inline assembly, as drivers do.
extern void reach_error(void);

static int reads;

static unsigned short next_port(void) { return 0x3f8 + reads++; }

static unsigned char read_port(void) {
  unsigned char value;
  __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(next_port()));
  return value;
}

int main(void) {
  unsigned char status = read_port();
#ifdef FULL
  if (status == 0x20 && read_port() == 0x21) reach_error();
#else
  if (status & 0x20) read_port();
#endif
  if (reads != 1 && !(status & 0x20)) reach_error();
#ifdef COUNT
  if (reads == 2) reach_error();
#endif
  return 0;
}
