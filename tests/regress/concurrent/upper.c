// SPDX-License-Identifier: Apache-2.0
void put(void), get(void);

int Producer(void)
{
    put();
    return 0;
}

int Consumer(void)
{
    get();
    return 0;
}
