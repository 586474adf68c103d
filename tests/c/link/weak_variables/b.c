// SPDX-License-Identifier: Apache-2.0
int replaced = 20;
extern int kept;
int common;

int through(void) { return replaced + kept + common; }
