// SPDX-License-Identifier: Apache-2.0
/* The allocation of a socket as in socket.c, before a review.
 *
 * Found by socket.agon: where there is no memory for the queue, the error is
 * still the 0 of check_arguments. The caller believes that this is no error,
 * and uses a socket that has been freed. */
#include <stddef.h>

enum { EINVAL = 22, ENOMEM = 12, ENOBUFS = 105, EAFNOSUPPORT = 97 };
enum family { FAMILY_UNIX, FAMILY_INET, FAMILIES };
enum type { TYPE_STREAM = 1, TYPE_DATAGRAM = 2 };
enum state { SOCKET_FREE, SOCKET_UNCONNECTED, SOCKET_CONNECTED };

struct packet;

struct queue {
  struct packet *first;
  unsigned limit;
};

struct socket {
  enum state state;
  enum type type;
  int protocol;
  struct queue *queue;
};

extern struct socket *allocate_socket(void);
extern void free_socket(struct socket *socket);
extern struct queue *allocate_queue(unsigned limit);
extern void free_queue(struct queue *queue);
/* Both return 0 or a negative error. */
extern int unix_attach(struct socket *socket);
extern int inet_attach(struct socket *socket);

struct family_operations {
  int (*attach)(struct socket *socket);
  unsigned queue_limit;
  int default_protocol;
};

static const struct family_operations families[FAMILIES] = {
    [FAMILY_UNIX] = {unix_attach, 64, 0},
    [FAMILY_INET] = {inet_attach, 256, 6},
};

static int check_arguments(int family, int type) {
  if (family < 0 || family >= FAMILIES) return -EAFNOSUPPORT;
  if (type != TYPE_STREAM && type != TYPE_DATAGRAM) return -EINVAL;
  return 0;
}

/* Returns 1 and a socket, or a negative error. */
int create_socket(int family, int type, int protocol, struct socket **out) {
  const struct family_operations *operations;
  struct socket *socket;
  int error = check_arguments(family, type);

  if (error < 0) return error;
  operations = &families[family];

  socket = allocate_socket();
  if (socket == NULL) return -ENOMEM;
  socket->type = type;
  socket->protocol = protocol != 0 ? protocol : operations->default_protocol;

  socket->queue = allocate_queue(operations->queue_limit);
  if (socket->queue == NULL) goto no_queue;

  error = operations->attach(socket);
  if (error < 0) goto no_family;
  socket->state = SOCKET_UNCONNECTED;
  *out = socket;
  return 1;

no_family:
  free_queue(socket->queue);
no_queue:
  free_socket(socket);
  return error;
}
