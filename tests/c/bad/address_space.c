// SPDX-License-Identifier: Apache-2.0
int main(void) {
  int __seg_fs *p = 0; // ERROR: the type .* is not supported
  return *p;
}
