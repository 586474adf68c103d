// SPDX-License-Identifier: Apache-2.0
// Functions give out pointers to parts of a union, which others get to see.
extern void reach_error(void);

union number {
  int whole;
  long wide;
  struct {
    short low[2];
  } halves;
} both;

struct record {
  union {
    unsigned bits;
    float value;
  };
  int kind;
} known;

long *give_wide(void) { return &both.wide; }
int *give_whole(void) { return &both.whole; }
short *give_low(void) { return both.halves.low; }
unsigned *give_bits(void) { return &known.bits; }
float *give_value(void) { return &known.value; }

int wide(long *to, int *seen) {
  *seen = 1;
  *to = 2;
  if (*seen != 1) reach_error();
  return 0;
}

int low(short *to, long *seen) {
  *seen = 1;
  *to = 2;
  if (*seen != 1) reach_error();
  return 0;
}

int unnamed(float *to, unsigned *seen) {
  *seen = 1;
  *to = 0;
  if (*seen != 1) reach_error();
  return 0;
}

// Nobody gives out a part of this type.
int apart(char **to, int *seen) {
  *seen = 1;
  *to = 0;
  if (*seen != 1) reach_error();
  return 0;
}
