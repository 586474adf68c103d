// SPDX-License-Identifier: Apache-2.0
// What routines without a body can do to a module.
#include <assert.h>

void work(void);
extern int level;

static int own;
int shared;

void with_own(void)
{
    own = 1;
    work();
    assert(own == 1);
}

void with_shared(void)
{
    shared = 1;
    work();
    assert(shared == 1);
}

int next(void)
{
    assert(shared >= 0 && shared <= 3);
    shared = (shared + 1) % 4;
    return shared;
}

static int old_level;
void look(void) { old_level = level; }
void look_again(void) { assert(old_level == 0 || old_level == level); }
