// SPDX-License-Identifier: Apache-2.0
int mode, table[9];
int lib(int *p, int n);
void hook(void) {}

#define BUMP (mode++)
#define SMALLER(x, y) ({ int a_ = (x), r_ = (y); if (a_ < r_) r_ = a_; r_; })

int f(int n)
{
    hook();
    return lib(table, n);
}

int g(void) { return mode; }
