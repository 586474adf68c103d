#include <setjmp.h>
jmp_buf place;
int save(void) {
  return setjmp(place);
}
