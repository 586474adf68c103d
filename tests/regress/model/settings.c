#include "sizes.inc"
#ifndef MODE
#error MODE is not defined
#endif
int size = SIZE;
int mode(void) { return MODE; }
