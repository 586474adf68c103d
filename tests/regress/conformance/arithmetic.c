// SPDX-License-Identifier: Apache-2.0
#include <limits.h>

int take(int file, char *buffer, int size);
int next(void);

/* Nothing is computed here, whatever the size is. */
int fill(int size)
{
    char buffer[8];
    return take(3, buffer, size) < 0 ? -1 : 0;
}

static int same(int x)
{
    return x;
}

int keep(void)
{
    return same(INT_MAX);
}

/* But here. */
int count(void)
{
    return same(next() + 1);
}
