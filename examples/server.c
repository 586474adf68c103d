// SPDX-License-Identifier: Apache-2.0
/* The server's side of a handshake in the manner of SSL, and a server that
 * echoes what its client sends once they have shaken hands.
 *
 * The handshake is a state machine that is switched over in a loop, as such
 * code is written: a message that cannot be sent or received yet ends the call
 * with 0, and the next call goes on in the same state.
 *
 * Verified by server.agon: the order of the messages; that the client begins;
 * that a resumed session skips certificates and keys; that a client who has to
 * show a certificate has shown it; that an alert ends everything; that no data
 * is sent before both sides have finished; what is returned when. */
#include "handshake.h"

#define MAX_EMPTY 8
#define MAX_RETRIES 1000

struct statistics {
  unsigned started, completed, resumed, failed;
};

/* One routine for each message: each returns an enum result. */
extern int get_client_hello(struct connection *c);
extern int get_client_certificate(struct connection *c);
extern int get_client_key(struct connection *c);
extern int get_client_verify(struct connection *c);
extern int get_change(struct connection *c);
extern int get_finished(struct connection *c);
extern int send_server_hello(struct connection *c);
extern int send_certificate(struct connection *c);
extern int send_server_key(struct connection *c);
extern int send_certificate_request(struct connection *c);
extern int send_server_done(struct connection *c);
extern int send_change(struct connection *c);
extern int send_finished(struct connection *c);
extern int send_alert(struct connection *c, enum alert alert);

/* Is the session that the client named in its hello one of ours? */
extern int find_session(const struct connection *c);
extern void store_session(const struct connection *c);

/* Data: the routines return a length, or an enum result that is not DONE. */
extern int receive_data(struct connection *c, char *data, int size);
extern int send_data(struct connection *c, const char *data, int size);

static struct statistics statistics;

/* Sets up what a handshake must not inherit from an earlier one. */
static void begin(struct connection *c) {
  c->resumed = 0;
  c->authenticated = 0;
  c->alert = NO_ALERT;
  c->handshakes++;
  statistics.started++;
}

static void complete(struct connection *c) {
  statistics.completed++;
  if (c->resumed) {
    statistics.resumed++;
  } else {
    store_session(c);
  }
}

/* Gives up. If the fault is the client's, it is told; whether the alert gets
 * through does not matter any more. */
static int fail(struct connection *c, int result, enum alert alert) {
  c->state = FAILED;
  statistics.failed++;
  if (result == BAD) {
    c->alert = alert;
    (void)send_alert(c, alert);
  }
  return -1;
}

/* The alert for a message that we did not accept in a state. */
static enum alert alert_for(enum state state) {
  switch (state) {
    case CLIENT_HELLO:
      return HANDSHAKE_FAILURE;
    case CLIENT_CERTIFICATE:
    case CLIENT_VERIFY:
      return BAD_CERTIFICATE;
    case CLIENT_KEY:
    case CLIENT_FINISHED:
      return DECRYPT_ERROR;
    default:
      return UNEXPECTED_MESSAGE;
  }
}

/* Returns 1 when the handshake is complete, 0 if it has to be called again, and
 * -1 if it has failed. */
int server_handshake(struct connection *c) {
  int result;

  for (;;) {
    enum state next;

    switch (c->state) {
      case START:
        begin(c);
        result = DONE;
        next = CLIENT_HELLO;
        break;

      case CLIENT_HELLO:
        result = get_client_hello(c);
        next = SERVER_HELLO;
        if (result == DONE && find_session(c)) c->resumed = 1;
        break;

      case SERVER_HELLO:
        result = send_server_hello(c);
        next = c->resumed ? SERVER_CHANGE : SERVER_CERTIFICATE;
        break;

      case SERVER_CERTIFICATE:
        result = send_certificate(c);
        next = c->temporary_key ? SERVER_KEY : CERTIFICATE_REQUEST;
        break;

      case SERVER_KEY:
        result = send_server_key(c);
        next = CERTIFICATE_REQUEST;
        break;

      case CERTIFICATE_REQUEST:
        next = SERVER_DONE;
        result = DONE;
        if (c->verify_peer) result = send_certificate_request(c);
        break;

      case SERVER_DONE:
        result = send_server_done(c);
        next = c->verify_peer ? CLIENT_CERTIFICATE : CLIENT_KEY;
        break;

      case CLIENT_CERTIFICATE:
        result = get_client_certificate(c);
        next = CLIENT_KEY;
        break;

      case CLIENT_KEY:
        result = get_client_key(c);
        next = c->verify_peer ? CLIENT_VERIFY : CLIENT_CHANGE;
        break;

      case CLIENT_VERIFY:
        result = get_client_verify(c);
        if (result == DONE) c->authenticated = 1;
        next = CLIENT_CHANGE;
        break;

      case CLIENT_CHANGE:
        result = get_change(c);
        next = CLIENT_FINISHED;
        break;

      case CLIENT_FINISHED:
        result = get_finished(c);
        /* In a resumed session the server was first. */
        next = c->resumed ? CONNECTED : SERVER_CHANGE;
        break;

      case SERVER_CHANGE:
        result = send_change(c);
        next = SERVER_FINISHED;
        break;

      case SERVER_FINISHED:
        result = send_finished(c);
        next = c->resumed ? CLIENT_CHANGE : CONNECTED;
        break;

      case CONNECTED:
        complete(c);
        return 1;

      default:
        return -1;
    }

    if (result == RETRY) return 0;
    if (result != DONE) return fail(c, result, alert_for(c->state));
    c->state = next;
  }
}

/* Shakes hands with a client that may be slow. */
static int accept_client(struct connection *c) {
  int retries, result;

  c->state = START;
  for (retries = 0; retries < MAX_RETRIES; retries++) {
    result = server_handshake(c);
    if (result != 0) return result;
  }
  return fail(c, BAD, TOO_SLOW);
}

/* Sends all of a buffer. */
static int send_all(struct connection *c, const char *data, int size) {
  while (size > 0) {
    int sent = send_data(c, data, size);

    if (sent < 0) return sent;
    data += sent;
    size -= sent;
  }
  return DONE;
}

/* Serves one client. Returns 0 if the client said good-bye, else -1. */
int serve(struct connection *c) {
  char data[512];
  int result, length, empty = 0;

  if (accept_client(c) < 0) return -1;
  for (;;) {
    length = receive_data(c, data, (int)sizeof data);
    if (length == ALERTED) {
      c->state = START;
      return 0;
    }
    if (length < 0) return fail(c, length, UNEXPECTED_MESSAGE);
    if (length == 0) {
      if (++empty > MAX_EMPTY) return fail(c, BAD, TOO_SLOW);
      continue;
    }
    empty = 0;
    result = send_all(c, data, length);
    if (result == ALERTED) return 0;
    if (result < 0) return fail(c, result, UNEXPECTED_MESSAGE);
  }
}
