// SPDX-License-Identifier: Apache-2.0
static void nothing(void) {}
void reach_error(void) __attribute__((alias("nothing"))); // ERROR@6: 'reach_error' cannot be an alias
int main(void) { reach_error(); }
