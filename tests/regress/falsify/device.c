/* After a reset that fails, the device is used nevertheless; but whether a
   reset ever fails is not up to the program. */
extern int read_status(void);
extern void reach_error(void);
double temperature;

int main(void) {
  int status = (int)(temperature * 2.0);
  int ready = 1;
  if (status == 31337)
    ready = 0; /* Line 11. */
  if (ready == 0)
    reach_error();
  return 0;
}
