// SPDX-License-Identifier: Apache-2.0
// Routines that call back.
#include <assert.h>

void work(void);

static int busy, count, done;

/* Refuses to be entered twice. */
int guarded(void)
{
    if (busy)
        return -1;
    busy = 1;
    count = count + 1;
    work();
    assert(count == 1);
    count = count - 1;
    busy = 0;
    return 0;
}

/* Does everything before it calls out. */
void careful(void)
{
    if (done < 3)
        done = done + 1;
    assert(done <= 3);
    work();
}

/* Entered twice, it counts to 2. */
void careless(int n)
{
    count = count + 1;
    if (n > 10)
        work();
    assert(count == 1);
    count = count - 1;
}

/* Only after work() has returned from a callback. */
void later(void)
{
    int before = done;
    work();
    assert(done == before);
    done = 1;
}

void with_local(void)
{
    int x = 0;
    int *p = &x;
    work();
    assert(*p == 0);
}

/* A function of the client. */
void for_each(void (*visit)(int))
{
    int before = done;
    if (visit)
        visit(1);
    assert(done == before);
}
void set_done(void) { done = 1; }
