// SPDX-License-Identifier: Apache-2.0
// A described routine gets to know an address that it could tell others.
void keep(int *place);
void later(void);
void note(int number);

int local(void) {
  int x = 1;
  keep(&x);
  later();
  return x;
}
int of_others(int *place) {
  keep(place);
  later();
  return 1;
}
int no_address(void) {
  int x = 1;
  note(x);
  later();
  return x;
}
int *give(void);
int given_back(void) {
  int x = 1;
  keep(&x);
  *give() = 2;
  return x;
}
int nobody_else(void) {
  int x = 1;
  keep(&x);
  return x;
}
