// SPDX-License-Identifier: Apache-2.0
#include "algol/tree.h"

#include <fmt/format.h>

#include <deque>
#include <optional>
#include <utility>

#include "support/error.h"

namespace agon::algol {
namespace {

/// Functions are expanded where they are called, which can explode.
constexpr std::size_t kMaxNodes = std::size_t{1} << 18;
constexpr int kMaxDepth = 1000;

struct Scope;

/// A term that waits to be built, with what its names mean.
struct Closure {
  const Term* term = nullptr;
  const Scope* scope = nullptr;
};

/// What a name means.
struct Binding {
  enum class Kind : std::uint8_t { Cell, Array, Closure, Free };
  Kind kind = Kind::Free;
  std::uint32_t id = 0;     // A slot, a word or an identifier.
  std::uint32_t site = 0;   // Of a cell or array.
  std::uint32_t site2 = 0;  // Of the indices of an array.
  Closure closure;
  std::optional<BaseType> convert_to;    // The type of an argument.
  mutable std::uint32_t shared = kNone;  // The node, once there is one.
};

struct Scope {
  const Scope* outer = nullptr;
  std::string name;
  Binding binding;
};

/// Arguments of an application that is being built; the next one is last.
using Arguments = std::vector<Closure>;

class Builder {
 public:
  Builder(const Judgement& judgement, const support::Source& source)
      : judgement_(judgement), source_(source) {}

  Tree run() {
    const Scope* scope = nullptr;
    for (const Declaration& declaration : judgement_.declarations) {
      scope = bind_free(declaration.name, declaration.type, scope);
    }
    tree_.type = judgement_.term->type.result;
    const NodeId root = add(NodeKind::Root, *judgement_.term);
    give_word(root);
    if (tree_.type.sort == Sort::Variable)
      site_of(root, add_site("result", tree_.type.data));
    place_children(root, 1);
    attach(root, 0, build(*judgement_.term, scope, {}));
    return std::move(tree_);
  }

 private:
  // Nodes.

  NodeId add(NodeKind kind, const Term& term) {
    if (tree_.nodes.size() >= kMaxNodes) {
      source_.fail(term.offset,
                   fmt::format("with its functions expanded, the term has "
                               "more than {} parts",
                               kMaxNodes));
    }
    tree_.nodes.emplace_back().kind = kind;
    return static_cast<NodeId>(tree_.nodes.size() - 1);
  }

  void place_children(NodeId node, std::size_t count) {
    tree_.nodes[node].first_child =
        static_cast<std::uint32_t>(tree_.children.size());
    tree_.nodes[node].num_children = static_cast<std::uint32_t>(count);
    tree_.children.resize(tree_.children.size() + count, kNone);
  }

  void attach(NodeId parent, std::size_t port, NodeId child) {
    tree_.children[tree_.nodes[parent].first_child + port] = child;
    tree_.nodes[child].parent = parent;
    tree_.nodes[child].port = static_cast<std::uint32_t>(port);
  }

  void give_slot(NodeId node) { tree_.nodes[node].slot = tree_.num_slots++; }
  void give_word(NodeId node) { tree_.nodes[node].memory = tree_.num_words++; }
  void site_of(NodeId node, std::uint32_t site) {
    tree_.nodes[node].site = site;
    tree_.nodes[node].range = tree_.sites[site].data.range;
  }

  /// A node that has to remember the question while it asks others.
  void remember_question(NodeId node, const Term& term) {
    if (term.type.result.sort != Sort::Variable) return;
    tree_.nodes[node].can_be_written = true;
    give_slot(node);
    give_word(node);
  }

  std::uint32_t add_site(std::string name, const Data& data) {
    tree_.sites.push_back({std::move(name), data});
    return static_cast<std::uint32_t>(tree_.sites.size() - 1);
  }

  /// Whether two expressions surely have the same value, one asked right after
  /// the other: they look alike, and depend on cells only.
  bool are_equal(NodeId a, NodeId b) const {
    const Node& left = tree_.nodes[a];
    const Node& right = tree_.nodes[b];
    if (left.kind != right.kind || left.op != right.op ||
        left.num_children != right.num_children) {
      return false;
    }
    switch (left.kind) {
      case NodeKind::Cell:
        return left.target == right.target;
      case NodeKind::Constant:
        return left.range == right.range;
      case NodeKind::Use:
        return left.target == right.target && is_pure(left.target);
      case NodeKind::Unary:
      case NodeKind::Binary:
        break;
      default:
        return false;
    }
    for (std::uint32_t i = 0; i < left.num_children; ++i) {
      if (!are_equal(tree_.child(left, i), tree_.child(right, i))) return false;
    }
    return true;
  }
  bool is_pure(NodeId shared) const {
    const NodeId inside = tree_.child(tree_.nodes[shared], 0);
    return inside != kNone && are_equal(inside, inside);
  }

  NodeId with_children(NodeKind kind, const Term& term, const Scope* scope) {
    const NodeId node = add(kind, term);
    tree_.nodes[node].op = term.op;
    place_children(node, term.children.size());
    for (std::size_t i = 0; i < term.children.size(); ++i) {
      attach(node, i, build(*term.children[i], scope, {}));
    }
    return node;
  }

  // Names.

  const Scope* extend(const Scope* outer, std::string name, Binding binding) {
    scopes_.push_back({outer, std::move(name), std::move(binding)});
    return &scopes_.back();
  }

  const Scope* bind_free(const std::string& name, const Type& type,
                         const Scope* outer) {
    Identifier identifier{name, type, kNone, {}};
    if (type.result.has_data()) {
      identifier.site = add_site(name, type.result.data);
    }
    for (std::size_t i = 0; i < type.parameters.size(); ++i) {
      const BaseType& parameter = type.parameters[i];
      identifier.parameter_sites.push_back(
          parameter.sort == Sort::Variable
              ? add_site(fmt::format("{}.{}", name, i + 1), parameter.data)
              : kNone);
    }
    tree_.identifiers.push_back(std::move(identifier));
    Binding binding;
    binding.id = static_cast<std::uint32_t>(tree_.identifiers.size() - 1);
    return extend(outer, name, std::move(binding));
  }

  static const Binding& find(const Scope* scope, const std::string& name) {
    while (scope->name != name) scope = scope->outer;
    return scope->binding;
  }

  // Terms.

  NodeId build(const Term& term, const Scope* scope, Arguments arguments) {
    if (++depth_ > kMaxDepth) {
      source_.fail(term.offset,
                   fmt::format("with its functions expanded, the term is "
                               "nested more than {} deep",
                               kMaxDepth));
    }
    const NodeId node = build_kind(term, scope, std::move(arguments));
    --depth_;
    return node;
  }

  NodeId build_kind(const Term& term, const Scope* scope, Arguments arguments) {
    switch (term.kind) {
      case TermKind::Skip:
        return add(NodeKind::Skip, term);
      case TermKind::Abort:
        return add(NodeKind::Abort, term);
      case TermKind::Constant: {
        const NodeId node = add(NodeKind::Constant, term);
        tree_.nodes[node].range = Interval::single(term.value);
        return node;
      }
      case TermKind::Identifier:
        return identifier(term, find(scope, term.name), std::move(arguments));
      case TermKind::Index:
        return element(term, scope);
      case TermKind::Unary:
        return with_children(NodeKind::Unary, term, scope);
      case TermKind::Binary: {
        const NodeId node = with_children(NodeKind::Binary, term, scope);
        give_slot(node);
        tree_.nodes[node].is_twice_the_same =
            are_equal(tree_.child(tree_.nodes[node], 0),
                      tree_.child(tree_.nodes[node], 1));
        return node;
      }
      case TermKind::Sequence: {
        const NodeId node = with_children(NodeKind::Sequence, term, scope);
        remember_question(node, term);
        return node;
      }
      case TermKind::If: {
        const NodeId node = with_children(NodeKind::If, term, scope);
        remember_question(node, term);
        return node;
      }
      case TermKind::While:
        return with_children(NodeKind::While, term, scope);
      case TermKind::Assign:
        return with_children(NodeKind::Assign, term, scope);
      case TermKind::Assert:
        return assertion(term, scope);
      case TermKind::NewCell:
        return new_cell(term, scope);
      case TermKind::NewArray:
        return new_array(term, scope);
      case TermKind::Let:
        return build(
            *term.children[1],
            extend(scope, term.name, closure({term.children[0].get(), scope})),
            std::move(arguments));
      case TermKind::Lambda:
        return lambda(term, scope, std::move(arguments));
      case TermKind::Apply:
        for (std::size_t i = term.children.size(); i-- > 1;) {
          arguments.push_back({term.children[i].get(), scope});
        }
        return build(*term.children[0], scope, std::move(arguments));
    }
    AGON_ASSERT(!"every kind of term is built");
    return kNone;
  }

  static Binding closure(const Closure& closure) {
    Binding binding;
    binding.kind = Binding::Kind::Closure;
    binding.closure = closure;
    return binding;
  }

  /// `assert (b) c` is `if b then skip else c fi`.
  NodeId assertion(const Term& term, const Scope* scope) {
    const NodeId node = add(NodeKind::If, term);
    place_children(node, 3);
    attach(node, 0, build(*term.children[0], scope, {}));
    attach(node, 1, add(NodeKind::Skip, term));
    attach(node, 2, build(*term.children[1], scope, {}));
    return node;
  }

  NodeId new_cell(const Term& term, const Scope* scope) {
    const NodeId node = add(NodeKind::NewCell, term);
    give_slot(node);
    site_of(node, add_site(term.name, term.declared.data));
    Binding binding;
    binding.kind = Binding::Kind::Cell;
    binding.id = tree_.nodes[node].slot;
    binding.site = tree_.nodes[node].site;
    place_children(node, 2);
    attach(node, 0, build(*term.children[0], scope, {}));
    attach(node, 1,
           build(*term.children[1], extend(scope, term.name, binding), {}));
    return node;
  }

  NodeId new_array(const Term& term, const Scope* scope) {
    const NodeId node = add(NodeKind::NewArray, term);
    give_word(node);
    Binding binding;
    binding.kind = Binding::Kind::Array;
    binding.id = tree_.nodes[node].memory;
    binding.site = add_site(term.name, term.declared.data);
    binding.site2 =
        add_site(term.name + "[]", {false, {0, term.declared.length - 1}});
    place_children(node, 1);
    attach(node, 0,
           build(*term.children[0], extend(scope, term.name, binding), {}));
    return node;
  }

  NodeId element(const Term& term, const Scope* scope) {
    const Binding& binding = find(scope, term.name);
    const bool is_free = binding.kind == Binding::Kind::Free;
    const NodeId node =
        add(is_free ? NodeKind::FreeElement : NodeKind::Element, term);
    tree_.nodes[node].target = binding.id;
    if (!is_free) {
      site_of(node, binding.site);
      tree_.nodes[node].index_site = binding.site2;
    }
    remember_question(node, term);
    place_children(node, 1);
    attach(node, 0, build(*term.children[0], scope, {}));
    return node;
  }

  NodeId lambda(const Term& term, const Scope* scope, Arguments arguments) {
    if (arguments.empty()) {
      return build(*term.children[0],
                   bind_free(term.name, {{}, term.declared}, scope), {});
    }
    Binding binding = closure(arguments.back());
    binding.convert_to = term.declared;
    arguments.pop_back();
    return build(*term.children[0],
                 extend(scope, term.name, std::move(binding)),
                 std::move(arguments));
  }

  NodeId identifier(const Term& term, const Binding& binding,
                    Arguments arguments) {
    switch (binding.kind) {
      case Binding::Kind::Cell: {
        const NodeId node = add(NodeKind::Cell, term);
        tree_.nodes[node].target = binding.id;
        site_of(node, binding.site);
        tree_.nodes[node].can_be_written = true;
        return node;
      }
      case Binding::Kind::Closure:
        return use(term, binding, std::move(arguments));
      case Binding::Kind::Free:
        return call(term, binding.id, std::move(arguments));
      case Binding::Kind::Array:
        break;  // The checker allows only elements.
    }
    AGON_ASSERT(!"an array is used as a term");
    return kNone;
  }

  NodeId use(const Term& term, const Binding& binding, Arguments arguments) {
    const Closure& closure = binding.closure;
    const bool is_simple = closure.term->kind == TermKind::Identifier ||
                           closure.term->kind == TermKind::Constant;
    const bool converts = binding.convert_to && needs_conversion(binding);
    if (!closure.term->type.is_base() || (is_simple && !converts)) {
      return build(*closure.term, closure.scope, std::move(arguments));
    }
    if (binding.shared == kNone) {
      binding.shared = add(NodeKind::Shared, term);
      give_word(binding.shared);
      place_children(binding.shared, 1);
      attach(binding.shared, 0,
             argument(closure, converts ? &*binding.convert_to : nullptr));
    }
    const NodeId node = add(NodeKind::Use, term);
    tree_.nodes[node].target = binding.shared;
    return node;
  }

  static bool needs_conversion(const Binding& binding) {
    return needs_conversion(*binding.closure.term, *binding.convert_to);
  }

  static bool needs_conversion(const Term& term, const BaseType& wanted) {
    return wanted.sort == Sort::Expression &&
           !wanted.data.range.contains(term.type.result.data.range);
  }

  /// The term of an argument, reduced to the range of `type` if it is given.
  NodeId argument(const Closure& closure, const BaseType* type) {
    if (type == nullptr) return build(*closure.term, closure.scope, {});
    const NodeId node = add(NodeKind::Convert, *closure.term);
    tree_.nodes[node].range = type->data.range;
    place_children(node, 1);
    attach(node, 0, build(*closure.term, closure.scope, {}));
    return node;
  }

  NodeId call(const Term& term, std::uint32_t callee, Arguments arguments) {
    const NodeId node = add(NodeKind::Free, term);
    const Type type = tree_.identifiers[callee].type;
    tree_.nodes[node].target = callee;
    if (type.result.sort == Sort::Variable) {
      tree_.nodes[node].can_be_written = true;
    }
    give_word(node);
    place_children(node, type.parameters.size());
    for (std::size_t i = 0; i < type.parameters.size(); ++i) {
      const BaseType& parameter = type.parameters[i];
      if (arguments.empty()) {
        attach(node, i, missing_argument(term, parameter));
        continue;
      }
      const Closure given = arguments.back();
      arguments.pop_back();
      attach(
          node, i,
          argument(given, needs_conversion(*given.term, parameter) ? &parameter
                                                                   : nullptr));
    }
    return node;
  }

  /// The term is a function, and what it is applied to is unknown.
  NodeId missing_argument(const Term& term, const BaseType& type) {
    const std::string name = fmt::format("arg{}", ++num_missing_);
    return call(term, bind_free(name, {{}, type}, nullptr)->binding.id, {});
  }

  const Judgement& judgement_;
  const support::Source& source_;
  Tree tree_;
  std::deque<Scope> scopes_;  // Stable, since scopes point to each other.
  std::size_t num_missing_ = 0;
  int depth_ = 0;
};

}  // namespace

Tree build_tree(const Judgement& judgement, const support::Source& source) {
  return Builder(judgement, source).run();
}

}  // namespace agon::algol
