// SPDX-License-Identifier: Apache-2.0
// A virtual machine with a union of operands and a switch of opcodes.
#include <stdio.h>
#include <stdlib.h>

enum op { PUSH, ADD, SUB, MUL, DUP, SWAP, JNZ, PRINT, HALT };
struct instruction {
  unsigned op : 4;
  signed operand : 12;
};
union cell {
  int i;
  unsigned u;
  unsigned char b[4];
};
struct machine {
  union cell stack[16], *top;
  const struct instruction *pc;
  int steps;
};

static const struct instruction program[] = {
    {PUSH, 1},  {PUSH, 5},                          // Result and counter.
    {DUP},      {PRINT},  {DUP},      {PUSH, -1},   // The loop.
    {ADD},      {SWAP},   {JNZ, 2},   {HALT},
};

static int run(struct machine *m) {
  for (;; ++m->steps) {
    const struct instruction now = *m->pc++;
    switch ((enum op)now.op) {
      case PUSH:
        (++m->top)->i = now.operand;
        break;
      case ADD:
        m->top--;
        m->top[0].u += m->top[1].u;
        break;
      case SUB:
        --m->top;
        m->top->i -= (m->top + 1)->i;
        break;
      case MUL:
        m->top--, m->top->i *= m->top[1].i;
        break;
      case DUP:
        m->top[1] = m->top[0];
        m->top++;
        break;
      case SWAP: {
        union cell t = m->top[0];
        m->top[0] = m->top[-1];
        m->top[-1] = t;
        break;
      }
      case JNZ:
        if ((m->top--)->i > 1) m->pc = program + now.operand;
        break;
      case PRINT:
        printf("%d ", m->top->b[0]);
        break;
      case HALT:
        return m->top->i;
      default:
        abort();
    }
  }
}

int main(void) {
  struct machine m = {.pc = program};
  m.top = m.stack - 0;
  int result = run(&m);
  printf("\n%d %d\n", result, m.steps);
  return (int)(m.top - m.stack);
}
