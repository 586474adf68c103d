int flags(void) {
  int x;
  __asm__("pushf; pop %0" : "=r"(x));
  return x;
}
