/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program on all inputs, one execution after the other, and says what it
 * observed and how often it got to the error. The program's variables are put back
 * before each execution; what this file knows lies elsewhere. */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { DEPTH = 64, KINDS = 64, VALUES = 400, RUNS = 100000 };

struct state {
  jmp_buf out;
  int at, length, choice[DEPTH], size[DEPTH];
  long runs, errors;
  struct {
    int count, overflow, often[VALUES];
    long long value[VALUES];
  } seen[KINDS];
};

static struct state *s;
extern char __data_start, _end;
int program(void);

static int choose(int size) {
  if (s->at == DEPTH) longjmp(s->out, 1);
  if (s->at == s->length) {
    s->choice[s->length] = 0;
    s->size[s->length++] = size;
  }
  return s->choice[s->at++];
}

_Bool __VERIFIER_nondet_bool(void) { return choose(2); }
unsigned char __VERIFIER_nondet_uchar(void) { return choose(256); }
int __VERIFIER_nondet_int(void) { return choose(17) - 8; }
unsigned __VERIFIER_nondet_uint(void) { return choose(17); }
long long __VERIFIER_nondet_longlong(void) { return choose(17) - 8; }

void __VERIFIER_assume(int holds) {
  if (!holds) longjmp(s->out, 1);
}

void reach_error(void) {
  s->errors++;
  longjmp(s->out, 1);
}

void observe(int kind, long long value) {
  int i = 0;
  while (i < s->seen[kind].count && s->seen[kind].value[i] != value) i++;
  if (i == VALUES) {
    s->seen[kind].overflow = 1;
    return;
  }
  if (i == s->seen[kind].count) s->seen[kind].count++;
  s->seen[kind].value[i] = value;
  s->seen[kind].often[i]++;
}

static int next_inputs(void) {
  while (s->length && s->choice[s->length - 1] + 1 == s->size[s->length - 1])
    s->length--;
  if (s->length == 0) return 0;
  s->choice[s->length - 1]++;
  return 1;
}

static void *memory(size_t size) {
  return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
              -1, 0);
}

int main(void) {
  size_t size = &_end - &__data_start;
  s = memory(sizeof *s);
  char *start = memory(size);
  memcpy(start, &__data_start, size);
  do {
    s->at = 0;
    memcpy(&__data_start, start, size);
    if (setjmp(s->out) == 0) program();
    if (++s->runs > RUNS) return 2;
  } while (next_inputs());
  printf("errors %ld\n", s->errors);
  for (int k = 0; k < KINDS; k++) {
    if (s->seen[k].count == 0 || s->seen[k].overflow) continue;
    printf("%d", k);
    for (int i = 0; i < s->seen[k].count; i++)
      printf(" %lld %d", s->seen[k].value[i], s->seen[k].often[i]);
    printf("\n");
  }
}
