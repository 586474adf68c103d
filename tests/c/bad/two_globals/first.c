// SPDX-License-Identifier: Apache-2.0
int shared = 1;
int main(void) { return shared; }
