// SPDX-License-Identifier: Apache-2.0
void a(void);

int skip(void) { return 0; }

int zero(void)
{
    a();
    return 0;
}

int two(void)
{
    a();
    return 2;
}
