/* SPDX-License-Identifier: Apache-2.0 */
/* Errors behind long loops: to go round them one by one takes too long. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void done(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int seen = 0;
  for (int i = 0; i < 1000000; ++i) {
    if (n > 0) seen = 1;
  }
  if (seen == 1) reach_error();
  return 0;
}

int twice(void) {
  int n = __VERIFIER_nondet_int();
  int seen = 0;
  for (int i = 0; i < 3000; ++i) {
    if (n > 0) seen = 1;
  }
  done();
  if (seen == 1) done();
  return 0;
}
