// SPDX-License-Identifier: Apache-2.0
/// Turns functions into linear code. Internal to the folder.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ir/machine_code.h"

namespace agon::ir::machine {

constexpr unsigned width_of(term::Sort sort) {
  return sort.is_bool() ? 1 : sort.width;
}

/// Where everything of a program is kept, and the code of its functions.
class Compiler {
 public:
  explicit Compiler(const Program& program);

  FunctionCode compile(FunctionId function);
  /// The code that initialises global objects, as that of a function.
  FunctionCode compile_globals();

  /// Values of globals, addresses and constants. Grows while functions are
  /// compiled.
  std::vector<std::uint64_t>& global_words() { return global_words_; }
  const std::vector<term::Sort>& global_arrays() const {
    return global_arrays_;
  }
  Place place(VariableId variable) const;
  Operand array(VariableId variable) const {
    return variables_[variable.index()];
  }
  Operand address(ObjectId object) const { return objects_[object.index()]; }
  Operand address(FunctionId function) const {
    return functions_[function.index()];
  }
  bool is_global(VariableId variable) const {
    return !homes_[variable.index()].valid();
  }

 private:
  struct Known {
    std::uint32_t statement = 0;
    Operand operand = 0;
  };

  void place_variables(FunctionId function);
  void place_variable(VariableId variable, FunctionId home);
  Operand add_words(unsigned width, FunctionId home);
  Operand add_scratch(unsigned width);

  // Terms. What is known of a term holds for one statement.
  void begin_statement() {
    ++statement_;
    scratch_ = 0;
  }
  Block compile_terms(const std::vector<term::Term>& terms);
  void compile_term(term::Term term);
  std::uint32_t compile_array(term::Term term);
  Operand compile_scalar(term::Term term);
  void emit(term::Term term, Operand target);
  void emit_chain(term::Term term, Operand target);
  void emit_read(term::Term term, Operand target);
  Operand constant(term::Term term);
  Operand leaf(term::Term term);
  /// Where a compiled term is: words, an array variable, or a node.
  Operand operand(term::Term term) const;
  /// A compiled array term as a node, also if it is a variable.
  std::uint32_t node(term::Term term);
  Place place(term::Term term) const {
    return {operand(term), width_of(term.sort())};
  }

  // Functions.
  void start(FunctionCode& code, FunctionId function);
  void compile_edge(EdgeId id, const Edge& edge);
  void compile_assign(const Assign& assign, EdgeCode& code);
  void compile_call(const Call& call, EdgeCode& code);
  void add_places(const std::vector<term::Term>& values, EdgeCode& code);
  void compile_object(ObjectId object);

  const Program& program_;
  std::vector<std::uint64_t> global_words_;
  std::vector<term::Sort> global_arrays_;
  std::vector<Operand> variables_;  // By VariableId: words, or an array.
  std::vector<FunctionId> homes_;   // By VariableId: whose frame has it.
  std::vector<Operand> objects_;    // By ObjectId: where its address is.
  std::vector<FunctionId> object_homes_;
  std::vector<Operand> functions_;
  std::vector<std::uint32_t> frame_words_;  // By FunctionId.
  std::vector<std::vector<term::Sort>> frame_arrays_;
  std::unordered_map<term::Term, Operand> constants_;

  // Of the function and the statement that are being compiled.
  FunctionCode* code_ = nullptr;
  std::vector<Known> known_;  // By term id.
  std::uint32_t statement_ = 0;
  std::uint32_t scratch_ = 0;
};

}  // namespace agon::ir::machine
