// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdio.h>

void strange(void);

int shared;

int main(void)
{
    char text[8];
    shared = 1;
    printf("%d\n", shared);
    snprintf(text, sizeof text, "x");
    assert(shared == 1);
    strange();
#ifdef STRANGE
    assert(shared == 1);
#endif
    return 0;
}
