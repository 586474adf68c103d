// SPDX-License-Identifier: Apache-2.0
/// The words of the text form of programs. Internal to the folder.
///
/// The form has one line per thing. Names and other strings are in quotes; a
/// type is `t` and its number; a place is `@file:line:column` with the number
/// of the file, or `-`. What has its default value is left out. All that has a
/// name comes before the first term, since terms refer to names:
///
///     agon-program 1 LP64
///     file "ring.c"
///     type t0 integer "int" signed size 4 align 4
///     variable "memory" memory (Array (_ BitVec 64) (_ BitVec 8))
///     variable "n" parameter (_ BitVec 32) display "n" t0 owner "copy"
///     object "buffer" global display "buffer" t1 size 16 in "memory"
///     object "s" string display "s" t3 size 3 in "memory" bytes "ok"
///     function "copy" display "copy" t2 body parameters "n"
///     initial "limit" (_ bv10 32)
///     cell "buffer" "memory" 4 (_ bv1 32)
///     assumption "asm" "is ignored" @0:12:1
///     inlined "copy" @0:30:5 outer 0
///     automaton "copy" locations 7 entry 0 exit 6
///     edge 0 1 @0:14:3 assign "i" (_ bv0 32)
///     edge 1 2 @0:15:3 assume (bvslt i n)
///     edge 2 3 @0:16:3 call "put" t3 results "r" arguments i n
///     edge 3 4 havoc "x" input "nondet"
///     edge 4 6 return (bvadd i x)
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace agon::ir::words {

inline constexpr std::string_view kHeader = "agon-program 1";

inline constexpr std::array<std::string_view, 2> kModels = {"ILP32", "LP64"};
inline constexpr std::array<std::string_view, 10> kTypeKinds = {
    "void",    "bool",  "integer", "enum",  "float",
    "pointer", "array", "struct",  "union", "function"};
inline constexpr std::array<std::string_view, 5> kVariableKinds = {
    "global", "parameter", "local", "temporary", "memory"};
inline constexpr std::array<std::string_view, 3> kObjectKinds = {
    "global", "local", "string"};
inline constexpr std::array<std::string_view, 5> kHavocReasons = {
    "input", "uninitialised", "undefined", "float", "unsupported"};

}  // namespace agon::ir::words
