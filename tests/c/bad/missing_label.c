// SPDX-License-Identifier: Apache-2.0
int main(void) {
  goto nowhere; // ERROR@8: undeclared label 'nowhere'
}
