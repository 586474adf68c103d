// SPDX-License-Identifier: Apache-2.0
/* Dining philosophers. Forks are components, too: each serves the philosopher
 * to its left and the one to its right, whoever asks first. */
extern void take_left(void), take_right(void);
extern void put_left(void), put_right(void);
extern void eat(void);

enum side { LEFT, RIGHT };
extern enum side be_taken(void);
extern void be_put_by_left(void), be_put_by_right(void);

void philosopher(void) {
  for (;;) {
    take_left();
    take_right();
    eat();
    put_right();
    put_left();
  }
}

/* One who is polite to the other side breaks the circle. */
void lefty(void) {
  for (;;) {
    take_right();
    take_left();
    eat();
    put_left();
    put_right();
  }
}

void table_fork(void) {
  for (;;) {
    if (be_taken() == LEFT)
      be_put_by_left();
    else
      be_put_by_right();
  }
}
