// SPDX-License-Identifier: Apache-2.0
extern void beep(void);
static void quiet(void) { beep(); }
void loud(void) { quiet(); }
