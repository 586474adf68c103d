// SPDX-License-Identifier: Apache-2.0
/// Whether it may matter in which order two expressions are evaluated.
///
/// C leaves the order of operands and arguments open, and lowering evaluates
/// them from left to right. Where another order could give another result the
/// program is told to rest on that. The answer comes from the syntax trees of
/// the expressions and of the functions that they call: two expressions are in
/// each other's way if one may write what the other reads or writes, or if both
/// do what can be seen outside. Memory that pointers reach is told apart by
/// members and by the sizes of scalars.
#pragma once

#include <clang/AST/Expr.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace agon::frontend {

class Unit;

class EvaluationOrder {
 public:
  /// A function that other units can call.
  void define(const std::string& name, const clang::FunctionDecl& body,
              Unit& unit);

  /// What is done with the first expression.
  enum class Use : std::uint8_t {
    Value,   ///< It is evaluated.
    Place,   ///< It is assigned to: only the place is evaluated.
    Update,  ///< It is read and assigned to.
  };

  bool matters(const clang::Expr& first, Use use, const clang::Expr& second,
               Unit& unit);

 private:
  /// What is read or written.
  struct Cell {
    const void* root = nullptr;   ///< A variable; none: behind a pointer.
    const void* field = nullptr;  ///< The member, if it is one.
    int kind = 0;                 ///< Of a scalar; 0: of any size.
    bool exposed = true;          ///< Pointers and other units may reach it.
    bool is_own = false;          ///< A local whose address nobody has.

    auto operator<=>(const Cell&) const = default;
  };

  struct Body {
    const clang::FunctionDecl* function = nullptr;
    Unit* unit = nullptr;
  };

  struct Effects {
    std::vector<Cell> reads;
    std::vector<Cell> writes;
    std::vector<Body> calls;
    bool is_visible = false;     ///< Something happens outside.
    bool is_anything = false;    ///< Whatever is exposed may change.
    bool is_everything = false;  ///< Any function of the program may be called.

    void add(const Effects& other);
    void sort();
  };

  class Collector;

  Effects own_effects(const clang::Expr& expr, Use use, Unit& unit);
  const Effects& whole(const Body& body);
  const Effects& own(const Body& body);
  bool conflict(const Effects& one, const Effects& two);
  bool meet(const std::vector<Cell>& one, const std::vector<Cell>& two);
  static bool same(const Cell& one, const Cell& two);
  const void* interned(const std::string& name);

  std::unordered_map<std::string, Body> bodies_;
  std::unordered_map<const clang::FunctionDecl*, Effects> own_;
  std::unordered_map<const clang::FunctionDecl*, Effects> whole_;
  std::unordered_set<std::string> names_;
  std::size_t work_ = 0;
};

}  // namespace agon::frontend
