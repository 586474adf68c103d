int flags(int x) {
  __asm__ goto("test %0, %0; jz %l1" : : "r"(x) : : zero);
  return 1;
zero:
  return 0;
}
