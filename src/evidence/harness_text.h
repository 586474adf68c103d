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

/// What is static in another file, or inside of a function, has no name that C
/// could use here, so it is looked up in the symbol table of the program that
/// runs. A function that cannot be replaced when the program is linked is made
/// to start with a jump.
inline constexpr const char* kHarnessFind = R"(
#if defined __x86_64__
enum { AGON_OPENAT = 257, AGON_LSEEK = 8, AGON_MPROTECT = 10 };
#elif defined __i386__
enum { AGON_OPENAT = 295, AGON_LSEEK = 19, AGON_MPROTECT = 125 };
#else
enum { AGON_OPENAT = SYS_openat, AGON_LSEEK = SYS_lseek,
       AGON_MPROTECT = SYS_mprotect };
#endif
/* Where things are in an ELF file. */
#if __SIZEOF_POINTER__ == 8
enum { AGON_SHOFF = 40, AGON_SHENTSIZE = 58, AGON_SHNUM = 60, AGON_OFFSET = 24,
       AGON_SIZE = 32, AGON_LINK = 40, AGON_SYM = 24, AGON_VALUE = 8 };
#else
enum { AGON_SHOFF = 32, AGON_SHENTSIZE = 46, AGON_SHNUM = 48, AGON_OFFSET = 16,
       AGON_SIZE = 20, AGON_LINK = 24, AGON_SYM = 16, AGON_VALUE = 4 };
#endif
#define AGON_AT(type, p, offset) (*(const type *)((p) + (offset)))
extern const unsigned char __ehdr_start[] __attribute__((visibility("hidden")));
/* gcc calls the static variable x of a function x.N. */
AGON static int agon_is_called(const char *symbol, const char *name,
                               int is_inside) {
  while (*name && *symbol == *name) symbol++, name++;
  if (*name || !is_inside) return *name == 0 && *symbol == 0;
  if (*symbol++ != '.') return 0;
  while (*symbol >= '0' && *symbol <= '9') symbol++;
  return *symbol == 0;
}
static unsigned char agon_nowhere[1 << 20]; /* Of functions that are not used. */
AGON static unsigned char *agon_find(const char *name, int is_inside) {
  const long fd = syscall(AGON_OPENAT, -100L, "/proc/self/exe", 0L, 0L);
  const long size = syscall(AGON_LSEEK, fd, 0L, 2L);
  const unsigned char *const file = (const unsigned char *)syscall(
      AGON_MMAP, 0L, size, 1L, 2L, fd, 0L);
  const unsigned char *found = 0;
  unsigned count = 0, i;
  unsigned long at;
  if (size <= 0 || (long)file == -1) agon_lost("the program cannot be read");
  for (i = 0; i < AGON_AT(unsigned short, file, AGON_SHNUM); i++) {
    const unsigned step = AGON_AT(unsigned short, file, AGON_SHENTSIZE);
    const unsigned char *const all =
        file + AGON_AT(unsigned long, file, AGON_SHOFF);
    const unsigned char *const section = all + i * step;
    const unsigned char *const names =
        all + AGON_AT(unsigned, section, AGON_LINK) * step;
    if (AGON_AT(unsigned, section, 4) != 2) continue; /* Symbols. */
    for (at = 0; at < AGON_AT(unsigned long, section, AGON_SIZE); at += AGON_SYM) {
      const unsigned char *const symbol =
          file + AGON_AT(unsigned long, section, AGON_OFFSET) + at;
      const char *const text =
          (const char *)file + AGON_AT(unsigned long, names, AGON_OFFSET) +
          AGON_AT(unsigned, symbol, 0);
      if (!agon_is_called(text, name, is_inside)) continue;
      count++;
      found = (const unsigned char *)AGON_AT(unsigned long, symbol, AGON_VALUE);
    }
  }
  if (count == 0 && is_inside) return agon_nowhere;
  if (count != 1) agon_lost("a static variable or function cannot be found");
  if (AGON_AT(unsigned short, file, 16) == 3)
    found = __ehdr_start + (unsigned long)found; /* Position-independent. */
  return (unsigned char *)found;
}
AGON static void agon_replace(const char *name, void *by) {
  unsigned char *const at = agon_find(name, 0);
  const unsigned long page = (unsigned long)at & ~4095UL;
  const unsigned long end = ((unsigned long)at + 4 & ~4095UL) + 4096;
  const long distance = (unsigned char *)by - at;
  if (syscall(AGON_MPROTECT, page, end - page, 7L) != 0)
    agon_lost("a function cannot be replaced");
#if defined __x86_64__ || defined __i386__
  at[0] = 0xe9;
  *(int *)(at + 1) = (int)distance - 5;
#elif defined __aarch64__
  *(unsigned *)at = 0x14000000u | (distance >> 2 & 0x3ffffff);
  __builtin___clear_cache((char *)at, (char *)at + 4);
#else
  agon_lost("a function cannot be replaced on this processor");
#endif
}
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
