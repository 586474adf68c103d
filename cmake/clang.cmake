# SPDX-License-Identifier: Apache-2.0
# The target agon_clang: Clang as archives. Its shared libraries would cost every
# start of a program 35 ms and 60 MB. Debian's own targets bring the shared
# libraries along, so the archives are named one by one.

# Debian keeps each version under a prefix of its own, and the default is an
# old one.
find_package(LLVM 19.1 REQUIRED CONFIG)
find_package(ZLIB REQUIRED)
find_package(zstd REQUIRED)

set(clang_archives)
foreach(name Tooling Frontend Driver Parse Serialization Sema APINotes Analysis
             ASTMatchers Edit AST Support Rewrite ToolingCore Format
             ToolingInclusions Lex Basic)
  list(APPEND clang_archives ${LLVM_LIBRARY_DIR}/libclang${name}.a)
endforeach()
execute_process(
  COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-config --link-static --libfiles
          frontendopenmp option windowsdriver bitreader profiledata targetparser
          support mcparser
  OUTPUT_VARIABLE llvm_archives OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(llvm_archives)

add_library(agon_clang INTERFACE)
list(JOIN clang_archives "," clang_group)
target_link_libraries(agon_clang INTERFACE
  "$<LINK_GROUP:RESCAN,${clang_group}>" ${llvm_archives}
  ZLIB::ZLIB zstd::libzstd_shared ${CMAKE_DL_LIBS} Threads::Threads)
# Most of Clang is not used, and nothing of it needs to be moved at the start.
target_link_options(agon_clang INTERFACE -Wl,--gc-sections -no-pie)
