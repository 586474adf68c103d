// SPDX-License-Identifier: Apache-2.0
int main(void) {
  return unknown; // ERROR@10: undeclared identifier 'unknown'
}
