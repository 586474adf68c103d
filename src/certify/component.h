// SPDX-License-Identifier: Apache-2.0
/// Does a component of a certificate describe a program?
#pragma once

#include <map>
#include <string>
#include <vector>

#include "certify/blocks.h"
#include "evidence/certificate.h"
#include "smt/solver.h"

namespace agon::certify {

/// Checks that a component is about a program, by its digest and name. Throws
/// Rejected.
void check_program(const ir::Program& program, ir::FunctionId entry,
                   const evidence::CertifiedComponent& component);

/// Checks that the program starts in a listed state, and that every step from a
/// listed state leads to one of its listed successors, with its label.
class ComponentCheck {
 public:
  /// All arguments have to outlive it. `program` is flat. `resting`: locations
  /// that end blocks even if no state is listed there, which then cannot be
  /// got to; may be empty.
  ComponentCheck(const ir::Program& program, ir::FunctionId entry,
                 const evidence::CertifiedComponent& component,
                 const std::vector<bool>& resting, smt::Solver& solver);

  /// Throws Rejected.
  void run();

  std::size_t num_queries() const { return num_queries_; }

 private:
  using Number = std::uint32_t;

  void read_predicates();
  void check_texts() const;
  void read_steps();
  void add_layout();
  std::vector<Number> check_simply(ir::LocationId start,
                                   const std::vector<Number>& states);
  void check_block(ir::LocationId start, const term::Substitution& values,
                   const std::vector<Number>& states);
  std::vector<term::Term> literals(Number state) const;
  term::Term cube(Number state, const term::Substitution& values);
  term::Term escape(Number state, const Exit& exit,
                    const term::Substitution& values,
                    std::map<Number, term::Term>& cubes);
  term::Term escapes(const std::vector<Exit>& exits,
                     const term::Substitution& values,
                     const std::vector<Number>& states);
  void blame(const std::vector<Exit>& exits, const std::vector<Number>& states);
  [[noreturn]] void reject(Number state, const Exit& exit, smt::Answer answer);
  bool is_impossible(term::Term formula);
  smt::Answer ask(term::Term formula);

  const ir::Program& program_;
  ir::FunctionId entry_;
  const evidence::CertifiedComponent& component_;
  smt::Solver& solver_;
  std::vector<term::Term> predicates_;
  std::vector<std::vector<std::pair<std::string, Number>>> steps_;
  Blocks blocks_;
  term::Assignment model_;  // Of the last question with a solution.
  std::size_t num_queries_ = 0;
};

}  // namespace agon::certify
