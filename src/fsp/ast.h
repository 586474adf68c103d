// SPDX-License-Identifier: Apache-2.0
/// The syntax trees of FSP. Plain values; every node knows its place in the
/// text as a byte offset.
///
/// The parser bounds the depth of every tree, so recursion over them is safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fsp/token.h"

namespace agon::fsp {

using Offset = std::uint32_t;

struct Labels;

/// A set of labels: a name, or the elements in braces.
struct SetExpr {
  Offset offset = 0;
  std::string name;  ///< Empty for a literal.
  std::vector<Labels> elements;
};

struct Operator {
  TokenKind kind = TokenKind::End;
  Offset offset = 0;
};

struct Expr {
  enum class Kind : std::uint8_t {
    Number,
    Variable,     ///< A lower-case name.
    Constant,     ///< An upper-case name: a constant or a parameter.
    Label,        ///< 'a.b: `labels` has one element.
    Cardinality,  ///< #S
    Element,      ///< @(S, i)
    Unary,
    Chain,  ///< Binary operators of one precedence: a + b - c.
  };
  Kind kind = Kind::Number;
  Offset offset = 0;
  std::int64_t value = 0;
  std::string name;
  std::vector<Operator> operators;  ///< One for Unary, one less than there are
  std::vector<Expr> operands;       ///< operands for Chain.
  std::vector<Labels> labels;
  std::vector<SetExpr> set;  ///< Of Cardinality and Element: one.
};

/// A part of a compound label. Brackets may bind a variable.
struct LabelPart {
  enum class Kind : std::uint8_t {
    Name,   ///< a
    Set,    ///< {a, b}, S, {a, b} \ {b}, [{a, b}], [v: {a, b}]
    Value,  ///< [i + 1]
    Range,  ///< [lo .. hi], [i: lo .. hi]
    Named,  ///< [N], [i: N]: whether N is a range, set or constant is seen late
  };
  Kind kind = Kind::Name;
  Offset offset = 0;
  std::string name;
  std::string variable;        ///< Empty if none is bound.
  bool is_whole = false;       ///< A range is the one label `lo..hi`.
  std::vector<SetExpr> sets;   ///< One, or two for a difference.
  std::vector<Expr> operands;  ///< One for Value, two for Range.
};

/// A compound label; it denotes as many labels as its parts have combinations.
struct Labels {
  Offset offset = 0;
  std::vector<LabelPart> parts;
};

/// `P` or `P(3, 'a)`.
struct ProcRef {
  Offset offset = 0;
  std::string name;
  std::vector<Expr> arguments;
};

struct Branch;

/// The right-hand side of a local process.
struct Local {
  enum class Kind : std::uint8_t { Choice, If, Sequence };
  Kind kind = Kind::Choice;
  Offset offset = 0;
  std::vector<Branch> branches;     ///< Of Choice.
  std::vector<Expr> condition;      ///< Of If: one.
  std::vector<Local> alternatives;  ///< Of If: then, and else if present.
  std::vector<ProcRef> before;      ///< Of Sequence: P ; Q ; …
  std::string name;                 ///< Of Sequence: the local process it ends
  std::vector<Expr> indices;        ///< in, and its indices.
};

/// `when (guard) a -> b -> rest`.
struct Branch {
  std::vector<Expr> guard;  ///< One or none.
  std::vector<Labels> prefixes;
  Local rest;
};

struct LocalDef {
  Offset offset = 0;
  std::string name;
  std::vector<LabelPart> indices;
  Local body;
};

struct Parameter {
  Offset offset = 0;
  std::string name;
  Expr fallback;
};

/// `new/old`, or `forall [i:R] { … }`.
struct RelabelDef {
  Offset offset = 0;
  std::vector<Labels> pair;         ///< New and old; empty for a forall.
  Labels ranges;                    ///< Of a forall.
  std::vector<RelabelDef> members;  ///< Of a forall.
};

/// `\ S` or `@ S`.
struct Hiding {
  bool keep = false;  ///< @: all but S is hidden.
  SetExpr set;
};

struct PriorityDef {
  bool high = false;  ///< <<
  SetExpr set;
};

/// A component of a composition.
struct Comp {
  enum class Kind : std::uint8_t { If, Forall, Reference, List };
  Kind kind = Kind::List;
  Offset offset = 0;
  std::vector<Expr> condition;       ///< Of If: one.
  std::vector<Comp> members;         ///< Of If: one or two; Forall: one; List.
  std::optional<Labels> ranges;      ///< Of Forall.
  ProcRef reference;                 ///< Of Reference.
  std::optional<Labels> sharing;     ///< S :: …
  std::optional<Labels> prefix;      ///< S : …
  std::vector<RelabelDef> relabels;  ///< Of Reference and List.
};

/// Any process: primitive, composite or imported.
struct ProcessDef {
  enum class Kind : std::uint8_t { Primitive, Composite, Import };
  Kind kind = Kind::Primitive;
  Offset offset = 0;
  std::string name;
  bool is_property = false;
  bool is_minimal = false;
  bool is_deterministic = false;
  bool is_composed = false;
  std::vector<Parameter> parameters;
  std::vector<LocalDef> locals;      ///< Primitive; the first is the process.
  std::optional<SetExpr> extension;  ///< Primitive: + S.
  std::vector<RelabelDef> relabels;  ///< Primitive.
  std::vector<Comp> body;            ///< Composite: one.
  std::optional<PriorityDef> priority;  ///< Composite.
  std::optional<Hiding> hiding;
  std::string path;  ///< Import: as written.
  Offset path_offset = 0;
};

struct ProgressDef {
  Offset offset = 0;
  std::string name;
  std::optional<Labels> ranges;
  std::optional<Labels> condition;
  Labels actions;
};

/// `const`, `range` or `set`.
struct ValueDef {
  enum class Kind : std::uint8_t { Constant, Range, Set };
  Kind kind = Kind::Constant;
  Offset offset = 0;
  std::string name;
  std::vector<Expr> operands;  ///< One for a constant, two for a range.
  SetExpr set;
};

struct File {
  std::vector<ValueDef> values;  ///< In order; each uses only earlier ones.
  std::vector<ProcessDef> processes;
  std::vector<ProgressDef> progress;
};

}  // namespace agon::fsp
