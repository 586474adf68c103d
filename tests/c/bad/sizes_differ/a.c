// SPDX-License-Identifier: Apache-2.0
char buffer[4] = {1};
int last(void);
int main(void) { return last() + buffer[0]; }
