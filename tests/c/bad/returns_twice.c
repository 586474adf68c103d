// SPDX-License-Identifier: Apache-2.0
int save(int *) __attribute__((returns_twice));

int main(void) {
  int where[4];
  return save(where); // ERROR@10: 'save' is not supported
}
