// SPDX-License-Identifier: Apache-2.0
#error "stop here" // ERROR@2: stop here
int main(void) { return 0; }
