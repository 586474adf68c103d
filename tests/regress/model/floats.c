double scale(double x) { return x * 1.5; }
void *get(unsigned n) {
  extern void *malloc(unsigned long);
  return malloc(n);
}
int stop(void) {
  extern void abort(void);
  abort();
}
