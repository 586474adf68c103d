# SPDX-License-Identifier: Apache-2.0
# The headers of others that most sources include, parsed once: a third of a
# build from nothing went into them. Only an optimised build does so; the other
# ones notice a source that forgets an #include.
#
#   agon_precompile(target OWNER headers...)  The target that compiles them,
#   agon_precompile(target)                   and those that use the result
#                                             (of the last owner).
function(agon_precompile target)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release" OR AGON_FUZZ)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "OWNER" ${ARGN})
  if(ARG_OWNER)
    target_precompile_headers(${target} PRIVATE ${ARG_OWNER})
    set(agon_precompiled ${target} PARENT_SCOPE)
  else()
    target_precompile_headers(${target} REUSE_FROM ${agon_precompiled})
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # For ccache. And late warnings no longer know what is a system header.
    target_compile_options(${target} PRIVATE
      -fpch-preprocess -Wno-stringop-overflow -Wno-array-bounds)
  endif()
endfunction()

set(agon_common_headers <algorithm> <array> <cstdint> <functional> <map>
  <memory> <optional> <set> <span> <string> <string_view> <unordered_map>
  <utility> <vector> <fmt/format.h>)
