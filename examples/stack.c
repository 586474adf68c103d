// SPDX-License-Identifier: Apache-2.0
/* A stack for any client. What happens when it is full, or empty, is not its
   business: somebody else defines oflo and uflo.

   agon module examples/stack.c --api push,pop */
#include <assert.h>

#ifndef SIZE
#define SIZE 4
#endif

void oflo(void), uflo(void);

static int buffer[SIZE];
static unsigned top;            /* first free element */

void push(int value)
{
    if (top == SIZE) {
        oflo();
        return;
    }
    assert(top < SIZE);
    buffer[top] = value;
    top = top + 1;
}

int pop(void)
{
    if (top == 0) {
        uflo();
        return -1;
    }
    top = top - 1;
    assert(top < SIZE);
    return buffer[top];
}
