int lock(void), unlock(void), try_send(int);

int send(int n)
{
    if (lock() != 0)
        return -1;
    while (n > 0)
        n -= try_send(n);
    unlock();
    return 0;
}
