// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

/* What is allocated is freed. */
int kept(void)
{
    char *block = malloc(4);
    char *other = calloc(3, 4);
    char *larger = block ? realloc(block, 9) : 0;
    if (!larger) {
        free(block);
        free(other);
        return -1;
    }
    free(larger);
    free(other);
    return 0;
}

/* Not where the second one fails. */
int lost(void)
{
    char *block = malloc(4);
    char *other = calloc(3, 4);
    if (!other)
        return -1;
    free(other);
    free(block);
    return 0;
}
