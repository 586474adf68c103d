// SPDX-License-Identifier: Apache-2.0
void lock(void), unlock(void);

int f(void)
{
    lock();
    return 0;
}
