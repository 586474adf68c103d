// SPDX-License-Identifier: Apache-2.0
int replaced(void) { return 10; }
int kept(void);

int through(void) { return replaced() * 10 + kept(); }
