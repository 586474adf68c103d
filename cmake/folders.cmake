# SPDX-License-Identifier: Apache-2.0
# One static library per folder of src/. The dependencies given here are the
# architecture: docs/architecture.md explains them, and the `architecture` test
# compares them with the #includes that are really there.
#
#   agon_folder(game DEPENDS support horn lts)
function(agon_folder name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")  # Linked into a program.
  list(TRANSFORM ARG_DEPENDS PREPEND agon::)
  if(NOT sources)  # Only values.
    add_library(agon_${name} INTERFACE)
    add_library(agon::${name} ALIAS agon_${name})
    target_link_libraries(agon_${name} INTERFACE ${ARG_DEPENDS})
    return()
  endif()
  add_library(agon_${name} STATIC ${sources})
  add_library(agon::${name} ALIAS agon_${name})
  target_include_directories(agon_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(agon_${name}
    PUBLIC ${ARG_DEPENDS} ${ARG_LIBRARIES} PRIVATE agon_flags)
endfunction()

# A file as a string that a function of a header of a folder returns.
#
#   agon_embed(spec share/std.agon standard.h standard_text)
function(agon_embed folder file header function)
  set(from ${CMAKE_SOURCE_DIR}/${file})
  set(to ${CMAKE_CURRENT_BINARY_DIR}/${folder}_${function}.cpp)
  add_custom_command(OUTPUT ${to}
    COMMAND ${CMAKE_COMMAND} -DFROM=${from} -DTO=${to}
            -DHEADER=${folder}/${header} -DFUNCTION=${function}
            -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${from} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    VERBATIM)
  target_sources(agon_${folder} PRIVATE ${to})
endfunction()
