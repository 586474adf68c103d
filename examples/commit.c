// SPDX-License-Identifier: Apache-2.0
/* Two-phase commit: a coordinator asks PARTICIPANTS others for their votes, and
 * then tells all of them whether to commit. */
#ifndef PARTICIPANTS
#define PARTICIPANTS 3
#endif

extern void send_request(int to);
extern int receive_vote(int from);
extern void send_commit(int to), send_abort(int to);

/* Returns 1 if the transaction was committed. */
int coordinator(void) {
  int i, all = 1;

  for (i = 0; i < PARTICIPANTS; i++) send_request(i);
  for (i = 0; i < PARTICIPANTS; i++) {
    if (!receive_vote(i)) all = 0;
  }
  for (i = 0; i < PARTICIPANTS; i++) {
    if (all)
      send_commit(i);
    else
      send_abort(i);
  }
  return all;
}

/* Forgets that one of them was against it. */
int hasty_coordinator(void) {
  int i, all = 1;

  for (i = 0; i < PARTICIPANTS; i++) send_request(i);
  for (i = 0; i < PARTICIPANTS; i++) all = receive_vote(i);
  for (i = 0; i < PARTICIPANTS; i++) {
    if (all)
      send_commit(i);
    else
      send_abort(i);
  }
  return all;
}

extern void receive_request(void);
extern int can_commit(void);
extern void vote_yes(void), vote_no(void);
extern int receive_decision(void);

/* Returns 1 if the transaction was committed. */
int participant(void) {
  receive_request();
  if (can_commit())
    vote_yes();
  else
    vote_no();
  return receive_decision();
}
