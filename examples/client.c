// SPDX-License-Identifier: Apache-2.0
/* The client's side of a handshake in the manner of SSL, and a client that
 * sends a request and delivers the reply.
 *
 * The handshake is a state machine that is switched over in a loop, as in
 * server.c. Here some messages of the other side are optional.
 *
 * Verified by client.agon: the order of the messages; that a server that does
 * not resume has shown a certificate before it gets a key; that the client
 * shows its own only when asked, and then proves that it is its own; that a
 * resumed session skips all that; that an alert ends the handshake; what is
 * returned when. By client_data.agon: that requests are sent once, and only
 * between handshakes. */
#include "handshake.h"

#define MAX_RETRIES 1000
#define MAX_HANDSHAKES 3

/* One routine for each message: each returns an enum result. Those that may
 * return SKIPPED are get_server_key and get_certificate_request. */
extern int send_client_hello(struct connection *c);
extern int send_certificate(struct connection *c);
extern int send_client_key(struct connection *c);
extern int send_client_verify(struct connection *c);
extern int send_change(struct connection *c);
extern int send_finished(struct connection *c);
extern int send_alert(struct connection *c, enum alert alert);
extern int get_server_hello(struct connection *c);
extern int get_server_certificate(struct connection *c);
extern int get_server_key(struct connection *c);
extern int get_certificate_request(struct connection *c);
extern int get_server_done(struct connection *c);
extern int get_change(struct connection *c);
extern int get_finished(struct connection *c);

/* Did the server's hello name the session that we asked for? */
extern int session_accepted(const struct connection *c);
extern int have_certificate(const struct connection *c);
extern void store_session(const struct connection *c);

/* Data: the routines return a length, or an enum result below DONE. */
extern int receive_data(struct connection *c, char *data, int size);
extern int send_data(struct connection *c, const char *data, int size);

/* Takes a part of the reply; 0 if there is no room for it. */
extern int deliver(const char *data, int length);

static void begin(struct connection *c) {
  c->resumed = 0;
  c->asked = 0;
  c->authenticated = 0;
  c->alert = NO_ALERT;
  c->handshakes++;
}

static int fail(struct connection *c, int result, enum alert alert) {
  c->state = FAILED;
  if (result == BAD) {
    c->alert = alert;
    (void)send_alert(c, alert);
  }
  return -1;
}

/* The alert for a message that we did not accept in a state. */
static enum alert alert_for(enum state state) {
  switch (state) {
    case SERVER_HELLO:
      return HANDSHAKE_FAILURE;
    case SERVER_CERTIFICATE:
      return BAD_CERTIFICATE;
    case SERVER_KEY:
    case SERVER_FINISHED:
      return DECRYPT_ERROR;
    default:
      return UNEXPECTED_MESSAGE;
  }
}

/* Returns 1 when the handshake is complete, 0 if it has to be called again, and
 * -1 if it has failed. */
int client_handshake(struct connection *c) {
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
        result = send_client_hello(c);
        next = SERVER_HELLO;
        break;

      case SERVER_HELLO:
        result = get_server_hello(c);
        if (result == DONE && session_accepted(c)) c->resumed = 1;
        next = c->resumed ? SERVER_CHANGE : SERVER_CERTIFICATE;
        break;

      case SERVER_CERTIFICATE:
        result = get_server_certificate(c);
        if (result == DONE) c->authenticated = 1;
        next = SERVER_KEY;
        break;

      case SERVER_KEY:
        result = get_server_key(c);
        next = CERTIFICATE_REQUEST;
        break;

      case CERTIFICATE_REQUEST:
        result = get_certificate_request(c);
        if (result == DONE) c->asked = 1;
        next = SERVER_DONE;
        break;

      case SERVER_DONE:
        result = get_server_done(c);
        next = c->asked ? CLIENT_CERTIFICATE : CLIENT_KEY;
        break;

      case CLIENT_CERTIFICATE:
        if (!have_certificate(c)) return fail(c, BAD, HANDSHAKE_FAILURE);
        result = send_certificate(c);
        next = CLIENT_KEY;
        break;

      case CLIENT_KEY:
        result = send_client_key(c);
        next = c->asked ? CLIENT_VERIFY : CLIENT_CHANGE;
        break;

      case CLIENT_VERIFY:
        result = send_client_verify(c);
        next = CLIENT_CHANGE;
        break;

      case CLIENT_CHANGE:
        result = send_change(c);
        next = CLIENT_FINISHED;
        break;

      case CLIENT_FINISHED:
        result = send_finished(c);
        /* In a resumed session the server was first. */
        next = c->resumed ? CONNECTED : SERVER_CHANGE;
        break;

      case SERVER_CHANGE:
        result = get_change(c);
        next = SERVER_FINISHED;
        break;

      case SERVER_FINISHED:
        result = get_finished(c);
        next = c->resumed ? CLIENT_CHANGE : CONNECTED;
        break;

      case CONNECTED:
        if (!c->resumed) store_session(c);
        return 1;

      default:
        return -1;
    }

    if (result == RETRY) return 0;
    if (result < 0) return fail(c, result, alert_for(c->state));
    c->state = next;
  }
}

/* Shakes hands with a server that may be slow. */
static int connect_to_server(struct connection *c) {
  int retries, result;

  c->state = START;
  for (retries = 0; retries < MAX_RETRIES; retries++) {
    result = client_handshake(c);
    if (result != 0) return result;
  }
  return fail(c, BAD, TOO_SLOW);
}

static int send_request(struct connection *c, const char *request, int size) {
  int sent;

  do {
    sent = send_data(c, request, size);
  } while (sent == RETRY);
  if (sent < 0) return fail(c, sent, UNEXPECTED_MESSAGE);
  /* A request is sent as a whole, or the connection is of no use. */
  if (sent < size) return fail(c, BAD, UNEXPECTED_MESSAGE);
  return 1;
}

/* Delivers the reply until the server says good-bye. Meanwhile it may ask for
 * another handshake, but not for ever. */
static int get_reply(struct connection *c) {
  char block[256];

  for (;;) {
    int length = receive_data(c, block, (int)sizeof block);

    switch (length) {
      case ALERTED:
        return 1;

      case AGAIN:
        if (c->handshakes >= MAX_HANDSHAKES) {
          return fail(c, BAD, HANDSHAKE_FAILURE);
        }
        if (connect_to_server(c) < 0) return -1;
        break;

      case RETRY:
        break;

      default:
        if (length < 0) return fail(c, length, UNEXPECTED_MESSAGE);
        if (!deliver(block, length)) {
          return fail(c, BAD, UNEXPECTED_MESSAGE);
        }
        break;
    }
  }
}

/* Sends a request and gets the reply. Returns 1, or -1 if that failed. */
int fetch(struct connection *c, const char *request, int size) {
  c->handshakes = 0;
  if (size <= 0) return -1;
  if (connect_to_server(c) < 0) return -1;
  if (send_request(c, request, size) < 0) return -1;
  return get_reply(c);
}
