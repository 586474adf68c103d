// SPDX-License-Identifier: Apache-2.0
int shared = 0x12345678;
int get(void);
int main(void) { return get(); }
