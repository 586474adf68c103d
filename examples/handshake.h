// SPDX-License-Identifier: Apache-2.0
/// What client.c and server.c share: states, results and alerts.
#pragma once

/* What the routines that send and receive messages return. */
enum result {
  SKIPPED = 2,  /* the other side left out this message, which is optional */
  DONE = 1,     /* the message was sent, or received and accepted */
  RETRY = 0,    /* not yet; call again */
  LOST = -1,    /* the connection is broken */
  BAD = -2,     /* something else was received, or we do not accept it */
  ALERTED = -3, /* the other side gave up, or said good-bye */
  AGAIN = -4,   /* the server asks for another handshake */
};

enum alert {
  NO_ALERT = -1,
  CLOSE_NOTIFY = 0,
  UNEXPECTED_MESSAGE = 10,
  HANDSHAKE_FAILURE = 40,
  BAD_CERTIFICATE = 42,
  DECRYPT_ERROR = 51,
  TOO_SLOW = 90,
};

/* The server and the client go through these states in different orders. */
enum state {
  START,
  CLIENT_HELLO,
  SERVER_HELLO,
  SERVER_CERTIFICATE,
  SERVER_KEY,
  CERTIFICATE_REQUEST,
  SERVER_DONE,
  CLIENT_CERTIFICATE,
  CLIENT_KEY,
  CLIENT_VERIFY,
  CLIENT_CHANGE,
  CLIENT_FINISHED,
  SERVER_CHANGE,
  SERVER_FINISHED,
  CONNECTED,
  FAILED,
};

struct connection {
  int verify_peer;   /* the server asks for a certificate, too */
  int temporary_key; /* use ciphers that need a message with a key */
  enum state state;
  int resumed;       /* this handshake continues an earlier session */
  int asked;         /* the client has been asked for a certificate */
  int authenticated; /* the other side has shown a certificate */
  int handshakes;    /* so far */
  enum alert alert;  /* with which we gave up */
};
