// SPDX-License-Identifier: Apache-2.0
/// Objects that no pointer from elsewhere can point to, or not at first.
/// Internal to the folder.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ir/program.h"

namespace agon::ir {

/// Finds the objects whose addresses go nowhere but into variables that hold
/// nothing else: they are places that are read and written, they are compared,
/// and they are assigned, with an offset perhaps. So whatever such a variable
/// points to is one of a few objects, and nothing else points to these. They
/// get an array of their own. It is enough to look at each statement once.
///
/// `flatten_objects.cpp` has this, `flatten_flags.cpp` what is told on the way.
class PrivateObjects {
 public:
  /// `heap`: the variable that holds the address of what is allocated next;
  /// invalid: nothing is. All that is allocated counts as one object. `sizes`:
  /// what is known of blocks by their addresses, if anything is.
  PrivateObjects(const Program& program, VariableId heap, VariableId sizes)
      : program_(program), heap_(heap), sizes_(sizes) {}

  /// Looks at all that is done to objects in bodies, of which the first is that
  /// of the flat program, at values that others are told, and at initial
  /// values. With `any_state`, globals may hold anything.
  void look_at(const std::vector<const Cfa*>& bodies,
               const std::vector<term::Term>& told, bool any_state);
  /// Code that is not seen may use the object.
  void expose(ObjectId object);
  /// The same for whatever the variable points to.
  void expose(VariableId variable) { expose(program_[variable].term); }

  /// Whether there are other objects that nobody knows but by statements of the
  /// flat program that tell it. Each of these can set a flag first, so that
  /// code that is not seen changes the objects only if it is set.
  bool has_told(bool any_state) { return !find_told(any_state).empty(); }
  void use_flags(bool any_state) { flags_ = find_told(any_state); }

  /// Gives private objects arrays of their own, in the body of `function`,
  /// which must have been looked at; and those their flags that were found.
  void separate(Program& program, FunctionId function);
  /// The name of the array of what is allocated, unless it is that of all.
  std::string heap_array(const Program& program);

 private:
  using Number = std::uint32_t;  // Of an object or a variable.
  struct Flag {
    Number root;
    VariableId variable;
    std::vector<ObjectId> objects;
  };

  std::vector<Flag> find_told(bool any_state);

  void collect_carriers(const std::vector<const Cfa*>& bodies);
  bool is_carrier(term::Term leaf) const;
  bool carries(term::Term term);
  term::Term base_of(term::Term index);
  Number number(term::Term leaf);
  Number root(Number number);
  void unite(term::Term a, term::Term b);
  void expose(term::Term leaf);
  void tell(term::Term leaf);
  void add_flags(Program& program, FunctionId function);
  void set_flags(Cfa& body, const Program& program, std::size_t index,
                 Edge& edge);
  void keep_untold(Cfa& body, const Program& program, Edge& edge) const;
  term::Term with_old(const Program& program, const Flag& flag) const;
  void expose_all(term::Term term);
  void assign(term::Term target, term::Term value);
  void look_at(const Cfa& body, bool is_flat);
  void look_at_start(bool any_state);
  void keep_together();
  void look_at(term::Term term);
  void look_at_place(term::Term index);
  void look_at_contents(term::Term contents);
  void look_at_sizes(term::Term sizes);
  bool is_sizes(term::Term term) const;
  term::Term rewrite(Program& program, term::Term term);
  Statement rewrite_assignment(Program& program, const Assign& assign);
  VariableId array_of(const Program& program, term::Term index);

  bool is_private(term::Term leaf, const std::set<Number>& used);
  VariableId own_array(Program& program, term::Term leaf,
                       const std::string& name, const std::string& display);

  const Program& program_;
  VariableId heap_;
  VariableId sizes_;
  std::set<term::Term> carriers_;  // Variables that may hold an address.
  std::map<term::Term, Number> numbers_;
  std::vector<Number> parent_;
  std::vector<bool> is_exposed_;  // By root.
  /// Whether it is exposed otherwise than by statements that tell it. By root.
  std::vector<bool> is_lost_;
  /// The statement that is looked at, if it can have a flag set before it.
  std::optional<std::size_t> edge_;
  static constexpr std::size_t kNoEdge = ~std::size_t{0};  // Some call.
  std::vector<std::pair<std::size_t, Number>> tells_;  // By which statements.
  std::vector<Flag> flags_;
  VariableId anything_;
  std::set<term::Term> used_;  // Addresses that are read or written at.
  std::vector<std::vector<term::Term>> together_;  // Changed at once.
  std::set<term::Term> seen_;
  std::map<Number, VariableId> arrays_;  // By root.
};

}  // namespace agon::ir
