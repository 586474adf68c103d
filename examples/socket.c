// SPDX-License-Identifier: Apache-2.0
/* The allocation of a socket: look up the family, take memory for the socket
 * and for its queue, let the family set it up, publish it.
 *
 * Verified by socket.agon: a caller gets 1 and a socket that has everything,
 * or a negative error and nothing; what was allocated is given back, in the
 * reverse order. */
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

  error = -ENOMEM;
  socket = allocate_socket();
  if (socket == NULL) goto out;
  socket->type = type;
  socket->protocol = protocol != 0 ? protocol : operations->default_protocol;

  error = -ENOBUFS;
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
out:
  return error;
}
