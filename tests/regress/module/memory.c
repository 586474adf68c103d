// SPDX-License-Identifier: Apache-2.0
// Who knows which memory.
#include <assert.h>
#include <stddef.h>

static int hidden;
static int *self = &hidden;
static int *saved;
static int seen;

/* Nobody else can point to `hidden` unless leak() is called. */
void write_to(int *p)
{
    *self = 0;
    if (p)
        *p = 1;
    assert(hidden == 0);
}

int *leak(void) { return &hidden; }

/* Clients change their own memory whenever they like. */
void keep(int *p)
{
    saved = p;
    seen = p ? *p : 0;
}

void compare(void)
{
    if (saved)
        assert(*saved == seen);
}

/* A local is not there before it is called. */
void get(int *), put(int *);
void local(int *p)
{
    int x = 1;
    put(&x);
    x = 1;
    if (p)
        *p = 2;
    assert(x == 1);
}
