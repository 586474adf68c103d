// SPDX-License-Identifier: Apache-2.0
// What the compiled programs link with, so that they see the same inputs as in
// the interpreter: numbers from a seeded sequence, the same as in run_c.cpp.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned long long state = 1;

__attribute__((constructor)) static void start(void) {
  const char *seed = getenv("AGON_SEED");
  if (seed != NULL) state = strtoull(seed, NULL, 10);
  setvbuf(stdout, NULL, _IOLBF, 1 << 16);  // So that abort loses nothing.
}

static unsigned long long next(void) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return state >> 33 & 0xf;
}

_Bool __VERIFIER_nondet_bool(void) { return next() & 1; }
char __VERIFIER_nondet_char(void) { return next(); }
unsigned char __VERIFIER_nondet_uchar(void) { return next(); }
short __VERIFIER_nondet_short(void) { return next(); }
unsigned short __VERIFIER_nondet_ushort(void) { return next(); }
int __VERIFIER_nondet_int(void) { return next(); }
unsigned __VERIFIER_nondet_uint(void) { return next(); }
long __VERIFIER_nondet_long(void) { return next(); }
unsigned long __VERIFIER_nondet_ulong(void) { return next(); }
long long __VERIFIER_nondet_longlong(void) { return next(); }
unsigned long long __VERIFIER_nondet_ulonglong(void) { return next(); }
size_t __VERIFIER_nondet_size_t(void) { return next(); }

void __VERIFIER_assume(int holds) {
  if (holds) return;
  fflush(stdout);
  _exit(200);
}

void reach_error(void) { abort(); }
void __VERIFIER_error(void) { abort(); }
