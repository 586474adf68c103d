// The places of a path, also where the file is parsed with the specification
// at its end.



void lock(void);
int global;

int late(int x) {
  global = x;

  if (x > 3)
    lock();
  return 0;
}
