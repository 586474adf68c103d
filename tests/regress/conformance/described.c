// SPDX-License-Identifier: Apache-2.0
int take(int count);

int stock;

int serve(int wanted)
{
    stock = 5;
    if (take(wanted) < 0)
        return -1;
    return stock == 5 ? 0 : 1;
}
