// SPDX-License-Identifier: Apache-2.0
int thing = 1; // ERROR@5: 'thing' is defined twice
int main(void) { return thing; }
