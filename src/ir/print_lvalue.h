// SPDX-License-Identifier: Apache-2.0
/// Places in memory as C: `p->next`, `a[i].x`, `*q`. Internal to the folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/program.h"
#include "term/print_c.h"

namespace agon::ir {

/// The name of a variable, object or function in the source, if it has one.
template <class Named>
const std::string& name_of(const Named& named) {
  return named.display.empty() ? named.name : named.display;
}

/// What is at an address: an expression for it, and its type.
struct Lvalue {
  std::string text;
  TypeId type;
};

/// Finds the expressions by which a C programmer would name the places that
/// terms read and write. Refers to the program and remembers what it found.
class LvaluePrinter {
 public:
  explicit LvaluePrinter(const Program& program);
  LvaluePrinter(const LvaluePrinter&) = delete;
  LvaluePrinter& operator=(const LvaluePrinter&) = delete;

  const term::CStyle& style() const { return style_; }

  /// The scalar of `width` bits at an address, if types tell what it is; an
  /// integer has none, so it may be any scalar.
  std::optional<Lvalue> scalar(term::Term address, unsigned width);
  /// The value of a term that is to have a type, such as `&o.x` or `p + 1`.
  std::string value(term::Term term, TypeId type);

  std::string describe(term::Term term);
  bool is_unsigned(term::Term term);

 private:
  /// Something that is multiplied and added to an address.
  struct Index {
    term::Term term;
    std::int64_t scale = 0;
  };
  /// An address as base + offset + the sum of term * scale.
  struct Sum {
    term::Term base;
    std::int64_t offset = 0;
    std::vector<Index> indices;
    unsigned parts = 0;
  };
  /// What is looked for: a type, or any scalar of a size; of any if it is 0.
  struct Wanted {
    std::uint64_t size = 0;
    TypeId type;
  };

  std::optional<Lvalue> resolve(term::Term address, const Wanted& wanted);
  std::optional<Lvalue> resolve_pointer(const Sum& sum, const Wanted& wanted);
  std::optional<Lvalue> read(term::Term term);
  std::optional<Sum> decompose(term::Term address);
  bool add_part(term::Term term, std::int64_t scale, Sum& sum);
  TypeId type_of(term::Term term);
  bool is_base(term::Term term);

  bool matches(TypeId type, const Wanted& wanted) const;
  std::optional<Lvalue> walk(TypeId type, std::int64_t offset,
                             std::vector<Index> indices, const Wanted& wanted);
  std::optional<Lvalue> walk_array(const Type& type, std::int64_t offset,
                                   std::vector<Index> indices,
                                   const Wanted& wanted);
  bool contains(const Field& field, std::int64_t offset) const;
  bool is_beyond(const Type& record, std::int64_t offset) const;
  std::string take_index(std::int64_t size, std::int64_t& offset,
                         std::vector<Index>& indices);
  std::string index_text(term::Term term);
  bool has_sign(term::Term term, bool is_signed);

  const Program& program_;
  term::CStyle style_;
  std::unordered_map<term::Term, std::optional<Lvalue>> reads_;
  unsigned depth_ = 0;
};

}  // namespace agon::ir
