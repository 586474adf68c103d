# SPDX-License-Identifier: Apache-2.0
# The table of abstract domains, from the names of the files
# src/domain/NAME_domain.h.
file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
  ${CMAKE_CURRENT_SOURCE_DIR}/domain/*_domain.h)
list(SORT headers)
set(agon_domain_includes "")
set(agon_domain_rows "")
foreach(header ${headers})
  string(REGEX REPLACE "^domain/(.*)_domain\\.h$" "\\1" name ${header})
  string(APPEND agon_domain_includes "#include \"${header}\"\n")
  string(APPEND agon_domain_rows "      {\"${name}\", make_${name}_domain},\n")
endforeach()
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/domain/registry.cpp.in
  ${CMAKE_CURRENT_BINARY_DIR}/domain_registry.cpp @ONLY)
target_sources(agon_domain PRIVATE
  ${CMAKE_CURRENT_BINARY_DIR}/domain_registry.cpp)
