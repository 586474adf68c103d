/* That nobody knows where `kept` is, only an analysis can tell. */
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
