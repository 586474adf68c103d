// SPDX-License-Identifier: Apache-2.0
int main(void) {
  break; // ERROR@3: 'break' statement not in loop or switch
}
