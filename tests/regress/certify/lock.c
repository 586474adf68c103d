extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int locked;
static void lock(void) {
  if (locked) reach_error();
  locked = 1;
}
static void unlock(void) {
  if (!locked) reach_error();
  locked = 0;
}
int main(void) {
  int before, count = 0;
  do {
    lock();
    before = count;
    if (__VERIFIER_nondet_int()) {
      unlock();
      ++count;
    }
  } while (count != before);
  unlock();
  return 0;
}
