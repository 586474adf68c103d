// SPDX-License-Identifier: Apache-2.0
// What a module declares and does not define is its client's.
extern void reach_error(void);
extern int flags[2];
extern const int limits[2];
static int seen, done;

void look(void)
{
    seen = flags[0];
    done = 1;
}

/* The client may have changed it meanwhile. */
void look_again(void)
{
    if (done && seen != flags[0])
        reach_error();
}

void read_limit(void)
{
    seen = limits[0];
    done = 1;
}

void read_again(void)
{
    if (done && seen != limits[0])
        reach_error();
}
