# SPDX-License-Identifier: Apache-2.0
# cmake -DFROM=text -DTO=source.cpp -P embed.cmake: a file as a C++ string.
file(READ ${FROM} text)
# Compilers limit the length of one literal.
string(REPLACE "\n" "\n)agon\" R\"agon(" text "${text}")
file(WRITE ${TO} "// Made from share/std.agon.
#include \"spec/standard.h\"

namespace agon::spec {

std::string_view standard_text() { return R\"agon(${text})agon\"; }

}  // namespace agon::spec
")
