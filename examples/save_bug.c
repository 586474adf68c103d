// SPDX-License-Identifier: Apache-2.0
/* Saves standard input to a file, as save.c does, before a review.
 *
 * Found by save.agon: when close fails, the descriptor is closed again. It is
 * free after the first attempt, so in a program with threads the second one
 * may close a file of somebody else. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define BLOCK 4096

/* Writes all of a buffer. A signal may interrupt, and the kernel may take less
 * than it was offered. */
static int write_all(int fd, const char *data, size_t size) {
  while (size > 0) {
    ssize_t written = write(fd, data, size);

    if (written < 0) {
      if (errno == EINTR) continue;
      return -1;
    }
    data += written;
    size -= (size_t)written;
  }
  return 0;
}

static int copy_input(int fd) {
  char block[BLOCK];
  size_t size;

  while ((size = fread(block, 1, sizeof block, stdin)) > 0) {
    if (write_all(fd, block, size) < 0) return -1;
  }
  return ferror(stdin) ? -1 : 0;
}

/* Returns 0, or -1 if the file is as it was. */
int save(const char *path, const char *temporary) {
  int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0644);

  if (fd < 0) return -1;
  if (copy_input(fd) < 0) goto fail;
  if (fsync(fd) < 0) goto fail;
  if (close(fd) < 0) goto fail;
  if (rename(temporary, path) < 0) goto fail_closed;
  return 0;

fail:
  close(fd);
fail_closed:
  unlink(temporary);
  return -1;
}

int main(int argc, char **argv) {
  char temporary[256];

  if (argc != 2) {
    fprintf(stderr, "usage: %s FILE\n", argv[0]);
    return 2;
  }
  snprintf(temporary, sizeof temporary, "%s.tmp", argv[1]);
  return save(argv[1], temporary) == 0 ? 0 : 1;
}
