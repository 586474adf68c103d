# SPDX-License-Identifier: Apache-2.0
# Z3, for which Debian brings neither a CMake package nor one of pkg-config that
# says more than this.
find_library(Z3_LIBRARY z3 REQUIRED)
find_path(Z3_INCLUDE_DIR z3.h REQUIRED)
