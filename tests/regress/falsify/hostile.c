// SPDX-License-Identifier: Apache-2.0
// Errors behind a thousand rounds, where loops do not just count to a bound.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int two_ways(void) {
  int i = 0;
  while (i < 1000) {
    if (__VERIFIER_nondet_int())
      i += 1;
    else
      i += 2;
  }
  if (i >= 1000) reach_error();
  return 0;
}

int leaves_when_it_likes(void) {
  int count = 0;
  while (__VERIFIER_nondet_int()) count++;
  if (count == 1000) reach_error();
  return 0;
}

int flag(void) {
  int i = 0, done = 0;
  while (!done) {
    i++;
    if (i >= 1000) done = 1;
  }
  if (i >= 1000) reach_error();
  return 0;
}

int meet(void) {
  int i = 0, j = 1000;
  while (i < j) {
    i++;
    j--;
  }
  if (i >= j) reach_error();
  return 0;
}

int counts_down(void) {
  unsigned i = __VERIFIER_nondet_uint();
  unsigned n = i;
  while (i-- > 0);
  if (n > 1000) reach_error();
  return 0;
}

int equal(void) {
  int i = 0, a = 0, b = 0;
  while (i < 1000) {
    a++;
    b++;
    i++;
  }
  if (a == b) reach_error();
  return 0;
}

static int sign_of(int n) {
  int i = 0, s = 1;
  while (i < n) {
    s = s * 3;
    i++;
  }
  return s == 4 ? -1 : 1;
}

int two_calls(void) {
  int a = sign_of(1000);
  int b = sign_of(__VERIFIER_nondet_int());
  if (a != 0 && b != 0) reach_error();
  return 0;
}

int safe_two_ways(void) {
  int i = 0;
  while (i < 1000) {
    if (__VERIFIER_nondet_int())
      i += 1;
    else
      i += 2;
  }
  if (i > 1001) reach_error();
  return 0;
}

int safe_leaves(void) {
  int count = 0;
  while (count < 1000 && __VERIFIER_nondet_int()) count++;
  if (count > 1000) reach_error();
  return 0;
}

static int next(int i) { return i + 1; }

int calls_to_count(void) {
  int i = 0;
  while (i < 100000) i = next(i);
  if (i >= 100000) reach_error();
  return 0;
}

static int same(int i) { return i; }

int safe_calls(void) {
  int i = 0;
  while (i < 100000) i = same(i);
  if (i < 100000) reach_error();
  return 0;
}

// What is chosen must not be 4294967295: nobody waits for so many rounds.
int without_sign(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned i = 0;
  while (i < n) i++;
  if (n > 100000 && i >= n) reach_error();
  return 0;
}

// What the loop computed decides.
int sum(void) {
  int i = 0, s = 1;
  while (i < 100000) {
    s = s + 3;
    i++;
  }
  if (s == 300001) reach_error();
  return 0;
}

int shares(void) {
  int n = __VERIFIER_nondet_int(), i = 0, j = n;
  while (i < 1000) {
    i++;
    j--;
  }
  if (i + j == n) reach_error();
  return 0;
}

int safe_sum(void) {
  int i = 0, s = 1;
  while (i < 100000) {
    s = s + 3;
    i++;
  }
  if (s != 3 * i + 1) reach_error();
  return 0;
}
