// SPDX-License-Identifier: Apache-2.0
// ALSO: -m32
// Sizes and ranges of the integer types.
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
  printf("%d %d %d %d %d\n", (int)sizeof(char), (int)sizeof(short),
         (int)sizeof(int), (int)sizeof(long), (int)sizeof(long long));
  printf("%d %d %d\n", (int)sizeof(size_t), (int)sizeof(ptrdiff_t),
         (int)sizeof(void *));
  printf("%d %d %d\n", SCHAR_MIN, SCHAR_MAX, UCHAR_MAX);
  printf("%d %d %d\n", SHRT_MIN, SHRT_MAX, USHRT_MAX);
  printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
  printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
  printf("%lld %lld %llu\n", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
  int8_t i8 = -128;
  uint8_t u8 = 255;
  int16_t i16 = -32768;
  uint16_t u16 = 65535;
  int64_t i64 = INT64_MIN;
  uint64_t u64 = UINT64_MAX;
  printf("%d %d %d %d %lld %llu\n", i8, u8, i16, u16, (long long)i64,
         (unsigned long long)u64);
  size_t big = (size_t)-1;
  printf("%d %d\n", big > 1000, (int)(big + 2));
  return 0;
}
