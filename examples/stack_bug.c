// SPDX-License-Identifier: Apache-2.0
/* A stack that tells somebody about each value, at the wrong moment.

   agon module examples/stack_bug.c --api push,pop --callbacks */
#include <assert.h>

#define SIZE 2

void notify(int value);

static int buffer[SIZE];
static unsigned top;

int push(int value)
{
    if (top == SIZE)
        return -1;
    notify(value);              /* which may push as well */
    assert(top < SIZE);
    buffer[top] = value;
    top = top + 1;
    return 0;
}

int pop(void)
{
    if (top == 0)
        return -1;
    top = top - 1;
    return buffer[top];
}
