// SPDX-License-Identifier: Apache-2.0
struct pair {
  int a, b;
};
int main(void) {
  struct pair p;
  __asm__("" : "=m"(p)); // ERROR@3: assembly with this output.*not supported
  return p.a;
}
