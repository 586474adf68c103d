// SPDX-License-Identifier: Apache-2.0
int ioctl(int file, unsigned long request, ...);
void report(int level, ...);

int level;

struct device {
  int file;
  char buffer[8];
};

/* What the call is given is in memory that it may change. */
int read_back(struct device *device)
{
    int result;
    device->file = 7;
    result = ioctl(device->file, 5ul, device);
    return result < 0 ? -1 : 0;
}

/* And here in a global. */
void complain(void)
{
    level = 3;
    report(level, &level);
}

/* What it is given itself is no more what it was. */
int twice(struct device *device)
{
    int result;
    device->file = 7;
    result = ioctl(device->file, 5ul, device);
    if (result == 0)
        ioctl(device->file, 6ul);
    return result < 0 ? -1 : 0;
}
