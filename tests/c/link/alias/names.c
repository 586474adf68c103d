// SPDX-License-Identifier: Apache-2.0
static int hidden = 1;
extern int value __attribute__((alias("hidden")));
static int get_hidden(void) { return hidden; }
int get(void) __attribute__((alias("get_hidden")));
int replaced(void) __attribute__((weak, alias("get_hidden")));
