// SPDX-License-Identifier: Apache-2.0
/// What is the same in all harnesses. Nothing of the C library is used, since
/// the program may be about any of its routines.
#pragma once

namespace agon::evidence {

inline constexpr const char* kHarnessRuntime = R"(
#if defined __x86_64__
enum { AGON_WRITE = 1, AGON_MMAP = 9, AGON_EXIT = 231 };
#elif defined __i386__
enum { AGON_WRITE = 4, AGON_MMAP = 192, AGON_EXIT = 252 };
#else
#include <sys/syscall.h>
enum { AGON_WRITE = SYS_write, AGON_MMAP = SYS_mmap, AGON_EXIT = SYS_exit_group };
#endif
#define AGON __attribute__((no_instrument_function))
extern long syscall(long, ...);
AGON static void agon_stop(int code) {
  for (;;) syscall(AGON_EXIT, code);
}
AGON static void agon_say(const char *text) {
  unsigned long n = 0;
  while (text[n]) n++;
  syscall(AGON_WRITE, 1, text, n);
}
AGON static void agon_line(const char *a, const char *b) {
  agon_say(a);
  agon_say(b);
  agon_say("\n");
}
AGON static void agon_lost(const char *what) {
  agon_line("the recorded path is left: ", what);
  agon_stop(3);
}
AGON static void agon_map(unsigned long page) {
  /* Readable and writable, private, anonymous, fixed without replacing. */
  if ((unsigned long)syscall(AGON_MMAP, page, 4096L, 3L, 0x100022L, -1L, 0L) != page)
    agon_lost("memory cannot be had where it was");
}
AGON static void agon_clear(void *at, unsigned long size) {
  volatile unsigned char *p = at;
  while (size-- > 0) *p++ = 0;
}
AGON static float agon_float(unsigned long long bits) {
  union { unsigned u; float f; } x;
  x.u = (unsigned)bits;
  return x.f;
}
AGON static double agon_double(unsigned long long bits) {
  union { unsigned long long u; double d; } x;
  x.u = bits;
  return x.d;
}
static int agon_runs;
)";

inline constexpr const char* kHarnessControl = R"(
AGON static void agon_action(const char *name) {
  static int done;
  agon_line("", name);
  if (++done < agon_all_actions) return;
  agon_say("violation\n");
  agon_stop(1);
}
AGON static unsigned agon_next(const char *routine) {
  static unsigned at;
  const char *a = agon_rows[at].routine;
  const char *b = routine;
  const char *const *action;
  if (a == 0) agon_lost(routine);
  while (*a && *a == *b) a++, b++;
  if (*a != *b) agon_lost(routine);
  for (action = agon_rows[at].actions; *action; action++) agon_action(*action);
  return at++;
}
)";

/// Where signed overflow is an error, the compiler makes it an illegal
/// instruction.
inline constexpr const char* kHarnessTrap = R"(
AGON void agon_trap(int signal) { agon_action("error"); agon_stop(3); }
extern void (*signal(int, void (*)(int)))(int);
AGON static void agon_start(void) { signal(4, agon_trap); }
)";
inline constexpr const char* kHarnessNoTrap = R"(
AGON static void agon_start(void) {}
)";

inline constexpr const char* kHarnessAssume = R"(
AGON void agon_do_assume(int holds) __asm__("__VERIFIER_assume");
AGON void agon_do_assume(int holds) { if (!holds) agon_lost("an assumption"); }
)";

}  // namespace agon::evidence
