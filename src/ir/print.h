// SPDX-License-Identifier: Apache-2.0
/// A program for people: statements as C, with source lines; and as dot.
#pragma once

#include <string>

#include "ir/program.h"
#include "term/print_c.h"

namespace agon::ir {

/// How the terms of a program look as C: names of the source, `p->next`,
/// `a[i]`, `*q` for reads of memory where types tell. Refers to `program`.
term::CStyle c_style(const Program& program);

/// `main.c:12`; empty if the position is nowhere.
std::string to_string(const Program& program, const Position& position);

/// The place of an edge, with the chain of calls that it was inlined through:
/// `ring.c:16 from main.c:30`.
std::string place_of(const Program& program, const Edge& edge);

/// One statement: `x = y + 1`, `[x < 10]`, `r = read(fd, buf)`, `p->n = 0`.
std::string to_string(const Program& program, const Statement& statement);

/// The automaton of one function: a line per edge with its source line.
/// Locations are numbered from 1, which is the entry.
std::string print_function(const Program& program, FunctionId function);

/// A function as it is declared: `int copy(struct buf *b, int n)`.
std::string declaration(const Program& program, FunctionId function);

/// All functions with a body, the globals and the assumptions.
std::string print_program(const Program& program);

/// One cluster per function with a body.
std::string print_dot(const Program& program);

}  // namespace agon::ir
