# SPDX-License-Identifier: Apache-2.0
# cmake -DFROM=text -DTO=source.cpp -DHEADER=x/y.h -DFUNCTION=y_text -P
# embed.cmake: a file as a C++ string, which the function of the header returns.
file(READ ${FROM} text)
# Compilers limit the length of one literal.
string(REPLACE "\n" "\n)agon\" R\"agon(" text "${text}")
get_filename_component(name ${FROM} NAME)
get_filename_component(folder ${HEADER} DIRECTORY)
file(WRITE ${TO} "// Made from ${name}.
#include \"${HEADER}\"

namespace agon::${folder} {

std::string_view ${FUNCTION}() { return R\"agon(${text})agon\"; }

}  // namespace agon::${folder}
")
