# SPDX-License-Identifier: Apache-2.0
# One place for the flags that every target of the project gets.
add_library(agon_flags INTERFACE)
target_compile_options(agon_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wold-style-cast -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees overlapping copies in std::string's operator+ (GCC bug 105651).
  # It also takes the alternatives of a std::variant for uninitialised, and
  # members with a default for forgotten in designated initialisers.
  target_compile_options(agon_flags INTERFACE
    -Wno-restrict -Wno-maybe-uninitialized -Wno-missing-field-initializers)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # AGON_ASSERT(!"what cannot happen").
  target_compile_options(agon_flags INTERFACE -Wno-string-conversion)
endif()
if(AGON_SANITIZE)
  target_compile_options(agon_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(agon_flags INTERFACE -fsanitize=address,undefined)
endif()
if(AGON_FUZZ)
  target_compile_options(agon_flags INTERFACE
    -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  target_link_options(agon_flags INTERFACE -fsanitize=address,undefined)
endif()
