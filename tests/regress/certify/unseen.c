/* Nobody knows where `kept` is. */
extern void reach_error(void);
extern int *elsewhere(void);
int main(void) {
  int kept = 1;
  int *p = &kept;
  int *q = elsewhere();
  *q = 2;
  if (*p != 1) reach_error();
  return 0;
}
