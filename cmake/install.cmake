# SPDX-License-Identifier: Apache-2.0
# What `make install` copies, and the Debian package of `make package`.
install(TARGETS agon RUNTIME DESTINATION bin)

# The manual page and completion, made by the program from its option tables.
set(made ${CMAKE_BINARY_DIR}/share)
add_custom_command(OUTPUT ${made}/agon.1 ${made}/agon.bash ${made}/_agon
  COMMAND ${CMAKE_COMMAND} -E make_directory ${made}
  COMMAND agon --generate man > ${made}/agon.1
  COMMAND agon --generate bash > ${made}/agon.bash
  COMMAND agon --generate zsh > ${made}/_agon
  DEPENDS agon VERBATIM)
add_custom_target(agon_share ALL
  DEPENDS ${made}/agon.1 ${made}/agon.bash ${made}/_agon)
install(FILES ${made}/agon.1 DESTINATION share/man/man1)
install(FILES ${made}/agon.bash RENAME agon
  DESTINATION share/bash-completion/completions)
install(FILES ${made}/_agon DESTINATION share/zsh/vendor-completions)

# Not before all targets are known.
cmake_language(DEFER CALL cmake_language EVAL CODE "
  if(TARGET agon-certify)
    install(FILES ${CMAKE_SOURCE_DIR}/share/man/agon-certify.1
      DESTINATION share/man/man1)
  endif()")

# Headers such as <stddef.h> belong to the compiler, which is built in. The
# program looks here first, so it needs no Clang where it is installed.
install(DIRECTORY ${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}/include/
  DESTINATION lib/agon/clang/include
  FILES_MATCHING PATTERN "*.h"
  REGEX "/(cuda_wrappers|ppc_wrappers|openmp_wrappers|llvm_libc_wrappers|sanitizer|fuzzer|profile|orc|xray|zos_wrappers)$" EXCLUDE
  REGEX "/(arm|altivec|hexagon|hvx|riscv|sifive|opencl|msa|lasx|lsx|larch|s390|vecintrin|htm|wasm|__clang_cuda|__clang_hip|ISO_Fortran|velintrin|ptrauth)[^/]*$" EXCLUDE)

install(FILES ${CMAKE_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION share/doc/agon)
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/CHANGELOG.md
  DESTINATION share/doc/agon)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs ${CMAKE_SOURCE_DIR}/examples
  DESTINATION share/doc/agon
  PATTERN "architecture.md" EXCLUDE)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME agon)
set(CPACK_PACKAGE_VENDOR "The Agon developers")
set(CPACK_PACKAGE_CONTACT "The Agon developers <agon@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DESCRIPTION "Agon decides whether C code conforms to a state
machine: it proves it, for all executions, or shows one that does not. It finds
assertions that can fail, checks modules against every client and programs of
several components, and compares labelled transition systems.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libc6-dev, cvc5")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "graphviz")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
