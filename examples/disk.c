// SPDX-License-Identifier: Apache-2.0
/* The queue of a disk driver, protected by a spin lock.
 *
 * Verified by disk.agon, for each of the three entry points: the lock is taken
 * and released in turn, nothing sleeps while it is held, no path returns with
 * it, and the return values are those that the callers expect. */
#include <stddef.h>

enum { ENODEV = 19, EBUSY = 16, EIO = 5, QUEUE_LIMIT = 128 };
enum disk_state { DISK_READY, DISK_SUSPENDED, DISK_REMOVED };

struct spinlock {
  int owner;
};

struct request {
  struct request *next;
  unsigned sector;
  unsigned count;
  int status;
};

struct disk {
  struct spinlock lock;
  enum disk_state state;
  struct request *queue; /* under lock, like queued */
  int queued;
};

extern void spin_lock(struct spinlock *lock);
extern void spin_unlock(struct spinlock *lock);
/* Waits for the device. Must not be called under a spin lock. */
extern int transfer(unsigned sector, unsigned count);
extern int power_down(struct disk *disk);

static void lock_disk(struct disk *disk) { spin_lock(&disk->lock); }

static void unlock_disk(struct disk *disk) { spin_unlock(&disk->lock); }

static void push(struct disk *disk, struct request *request) {
  request->next = disk->queue;
  disk->queue = request;
  disk->queued++;
}

static struct request *pop(struct disk *disk) {
  struct request *request = disk->queue;

  if (request != NULL) {
    disk->queue = request->next;
    disk->queued--;
  }
  return request;
}

/* Queues a request. Returns 0 or a negative error. */
int disk_submit(struct disk *disk, struct request *request) {
  int error = 0;

  lock_disk(disk);
  if (disk->state == DISK_REMOVED) {
    error = -ENODEV;
    goto out;
  }
  if (disk->queued >= QUEUE_LIMIT) {
    error = -EBUSY;
    goto out;
  }
  push(disk, request);
out:
  unlock_disk(disk);
  return error;
}

/* Carries out what is queued, and what is queued meanwhile. A transfer sleeps,
 * so the lock is dropped for it; when nothing was found, it is still held. */
int disk_flush(struct disk *disk) {
  unsigned done = 0, before;

  do {
    struct request *request;

    lock_disk(disk);
    if (disk->state == DISK_REMOVED) {
      unlock_disk(disk);
      return -ENODEV;
    }
    before = done;
    request = pop(disk);
    if (request != NULL) {
      unlock_disk(disk);
      request->status = transfer(request->sector, request->count);
      done++;
    }
  } while (done != before);
  unlock_disk(disk);
  return 0;
}

/* Flushes, and stops the motor. A request that comes in between wins. */
int disk_suspend(struct disk *disk) {
  int error = disk_flush(disk);

  if (error != 0) return error;
  lock_disk(disk);
  if (disk->queue != NULL) {
    error = -EBUSY;
  } else {
    disk->state = DISK_SUSPENDED;
  }
  unlock_disk(disk);
  if (error == 0 && power_down(disk) < 0) error = -EIO;
  return error;
}
