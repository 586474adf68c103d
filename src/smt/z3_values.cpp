// SPDX-License-Identifier: Apache-2.0
// Values out of Z3's models.
#include <string>

#include "smt/z3_terms.h"
#include "support/error.h"

namespace agon::smt {

using term::Integer;
using term::Term;
using term::Value;

Integer Z3Terms::number(Z3_ast ast) {
  std::uint64_t small = 0;
  if (Z3_get_numeral_uint64(context_, ast, &small)) return small;
  // Negative numbers as "-1", without a sign otherwise.
  return Integer(std::string(Z3_get_numeral_string(context_, ast)));
}

Value Z3Terms::value(Z3_model model, Term leaf) {
  Value value{leaf.sort(), 0, {}};
  Z3_ast ast = nullptr;
  const bool evaluated =
      Z3_model_eval(context_, model, translate(leaf), true, &ast);
  AGON_ASSERT(evaluated && ast != nullptr);
  Z3_inc_ref(context_, ast);
  if (leaf.sort().is_array()) {
    read_array(model, ast, value);
  } else if (leaf.sort().is_bool()) {
    value.number = Z3_get_bool_value(context_, ast) == Z3_L_TRUE ? 1 : 0;
  } else {
    value.number = number(ast);
  }
  Z3_dec_ref(context_, ast);
  return value;
}

// store(… store(const(v), i, e) …), where the outermost store counts, or a
// function with a table.
void Z3Terms::read_array(Z3_model model, Z3_ast ast, Value& value) {
  for (;;) {
    if (Z3_is_as_array(context_, ast)) {
      read_function(model, Z3_get_as_array_func_decl(context_, ast), value);
      break;
    }
    AGON_ASSERT(Z3_get_ast_kind(context_, ast) == Z3_APP_AST);
    const Z3_app app = Z3_to_app(context_, ast);
    const Z3_func_decl head = Z3_get_app_decl(context_, app);
    const auto argument = [&](unsigned i) {
      return Z3_get_app_arg(context_, app, i);
    };
    if (Z3_get_decl_kind(context_, head) == Z3_OP_CONST_ARRAY) {
      value.number = number(argument(0));
      break;
    }
    AGON_ASSERT(Z3_get_decl_kind(context_, head) == Z3_OP_STORE);
    value.elements.emplace(number(argument(1)), number(argument(2)));
    ast = argument(0);
  }
  std::erase_if(value.elements, [&](const auto& element) {
    return element.second == value.number;
  });
}

void Z3Terms::read_function(Z3_model model, Z3_func_decl function,
                            Value& value) {
  const Z3_func_interp table =
      Z3_model_get_func_interp(context_, model, function);
  AGON_ASSERT(table != nullptr);
  Z3_func_interp_inc_ref(context_, table);
  const unsigned size = Z3_func_interp_get_num_entries(context_, table);
  for (unsigned i = 0; i < size; ++i) {
    const Z3_func_entry entry = Z3_func_interp_get_entry(context_, table, i);
    Z3_func_entry_inc_ref(context_, entry);
    value.elements.emplace(number(Z3_func_entry_get_arg(context_, entry, 0)),
                           number(Z3_func_entry_get_value(context_, entry)));
    Z3_func_entry_dec_ref(context_, entry);
  }
  value.number = number(Z3_func_interp_get_else(context_, table));
  Z3_func_interp_dec_ref(context_, table);
}

}  // namespace agon::smt
