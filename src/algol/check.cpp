// SPDX-License-Identifier: Apache-2.0
#include "algol/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/suggest.h"

namespace agon::algol {
namespace {

BaseType expression(const Data& data) { return {Sort::Expression, data, 0}; }

class Checker {
 public:
  Checker(const support::Source& source, const Constants& constants)
      : source_(source), constants_(constants) {}

  void run(Judgement& judgement) {
    std::set<std::string> names;
    for (const Declaration& declaration : judgement.declarations) {
      if (!names.insert(declaration.name).second) {
        source_.fail(declaration.offset,
                     fmt::format("'{}' is declared twice", declaration.name));
      }
      scope_.emplace_back(declaration.name, declaration.type);
    }
    check(*judgement.term);
    if (judgement.term->type.result.sort == Sort::Array) {
      fail(*judgement.term,
           "an array is no term of its own; it needs an "
           "index");
    }
  }

 private:
  using Binding = std::pair<std::string, Type>;

  [[noreturn]] void fail(const Term& term, const std::string& message) const {
    source_.fail(term.offset, message);
  }

  const Type* find(const std::string& name) const {
    const auto it = std::find_if(
        scope_.rbegin(), scope_.rend(),
        [&](const Binding& binding) { return binding.first == name; });
    return it == scope_.rend() ? nullptr : &it->second;
  }

  void check_in_scope(Term& term, std::string name, Type type) {
    scope_.emplace_back(std::move(name), std::move(type));
    check(term);
    scope_.pop_back();
  }

  void check(Term& term) {
    switch (term.kind) {
      case TermKind::Skip:
      case TermKind::Abort:
        term.type = {};
        break;
      case TermKind::Constant:
        break;  // The parser knows.
      case TermKind::Identifier:
        identifier(term);
        break;
      case TermKind::Index:
        index(term);
        break;
      case TermKind::Unary:
      case TermKind::Binary:
        operation(term);
        break;
      case TermKind::Sequence:
        sequence(term);
        break;
      case TermKind::If:
        conditional(term);
        break;
      case TermKind::While:
      case TermKind::Assert:
        check_data(term, 0, true);
        check_command(term, 1);
        term.type = {};
        break;
      case TermKind::Assign:
        assign(term);
        break;
      case TermKind::NewCell:
      case TermKind::NewArray:
        block(term);
        break;
      case TermKind::Let:
        check(*term.children[0]);
        if (term.children[0]->type.result.sort == Sort::Array) {
          fail(*term.children[0], "an array cannot get another name");
        }
        check_in_scope(*term.children[1], term.name, term.children[0]->type);
        term.type = term.children[1]->type;
        break;
      case TermKind::Lambda:
        check_in_scope(*term.children[0], term.name, {{}, term.declared});
        term.type = term.children[0]->type;
        term.type.parameters.insert(term.type.parameters.begin(),
                                    term.declared);
        break;
      case TermKind::Apply:
        application(term);
        break;
    }
  }

  void identifier(Term& term) {
    if (const Type* const type = find(term.name)) {
      term.type = *type;
      return;
    }
    if (const auto it = constants_.find(term.name); it != constants_.end()) {
      term.kind = TermKind::Constant;
      term.value = it->second;
      term.type = {{}, expression({false, Interval::single(it->second)})};
      return;
    }
    unbound(term);
  }

  [[noreturn]] void unbound(const Term& term) const {
    std::vector<std::string> names;
    for (const Binding& binding : scope_) names.push_back(binding.first);
    for (const auto& [name, value] : constants_) names.push_back(name);
    const std::string guess = support::did_you_mean(term.name, names);
    fail(term, fmt::format("'{}' is not declared{}", term.name,
                           guess.empty()
                               ? fmt::format(", and no number of that name was "
                                             "given with -D {}=N",
                                             term.name)
                               : guess));
  }

  void index(Term& term) {
    const Type* const found = find(term.name);
    if (found == nullptr) unbound(term);
    if (found->result.sort != Sort::Array) {
      fail(term, fmt::format("'{}' is of type {}, and only an array has "
                             "elements",
                             term.name, to_string(*found)));
    }
    const BaseType array = found->result;
    check_data(term, 0, false);
    const Interval bounds{0, array.length - 1};
    const Term& at = *term.children[0];
    if (!at.type.result.data.range.meets(bounds)) {
      const Interval range = at.type.result.data.range;
      fail(at, fmt::format(
                   "the index is {}, and '{}' has only {} element{}",
                   range.is_single()
                       ? fmt::format("{}", range.low)
                       : fmt::format("from {} to {}", range.low, range.high),
                   term.name, array.length, array.length == 1 ? "" : "s"));
    }
    term.declared = array;
    term.type = {{}, {Sort::Variable, array.data, 0}};
  }

  void operation(Term& term) {
    check(*term.children[0]);
    const bool equates =
        term.op == Operator::Equal || term.op == Operator::NotEqual;
    const bool of_bools =
        term.op == Operator::Not || term.op == Operator::And ||
        term.op == Operator::Or ||
        (equates && term.children[0]->type.result.data.is_bool);
    demand_data(*term.children[0], of_bools);
    Interval right;
    if (term.kind == TermKind::Binary) {
      check_data(term, 1, of_bools);
      right = term.children[1]->type.result.data.range;
    }
    if (gives_bool(term.op)) {
      term.type = {{}, expression(kBool)};
      return;
    }
    const bool divides =
        term.op == Operator::Divide || term.op == Operator::Remainder;
    if (divides && right == Interval::single(0)) {
      fail(*term.children[1], "division by zero");
    }
    const Interval left = term.children[0]->type.result.data.range;
    term.type = {{}, expression({false, apply(term.op, left, right)})};
  }

  void sequence(Term& term) {
    for (std::size_t i = 0; i + 1 < term.children.size(); ++i) {
      check_command(term, i);
    }
    check(*term.children.back());
    demand_base(*term.children.back());
    term.type = term.children.back()->type;
  }

  void conditional(Term& term) {
    check_data(term, 0, true);
    for (std::size_t i = 1; i < 3; ++i) {
      check(*term.children[i]);
      demand_base(*term.children[i]);
    }
    const BaseType& yes = term.children[1]->type.result;
    const BaseType& no = term.children[2]->type.result;
    if (yes == no) {
      term.type = {{}, yes};
    } else if (yes.has_data() && no.has_data() &&
               yes.data.is_bool == no.data.is_bool) {
      term.type = {
          {},
          expression({yes.data.is_bool, hull(yes.data.range, no.data.range)})};
    } else {
      fail(term, fmt::format("one branch is of type {}, the other of type {}",
                             to_string(yes), to_string(no)));
    }
  }

  void assign(Term& term) {
    Term& target = *term.children[0];
    check(target);
    if (!target.type.is_base() || target.type.result.sort != Sort::Variable) {
      fail(target, fmt::format("this is of type {}, and only a variable can "
                               "be assigned to",
                               to_string(target.type)));
    }
    check_data(term, 1, target.type.result.data.is_bool);
    term.type = {};
  }

  void block(Term& term) {
    if (term.kind == TermKind::NewCell) {
      check_data(term, 0, term.declared.data.is_bool);
    }
    Term& body = *term.children.back();
    check_in_scope(body, term.name, {{}, term.declared});
    demand_base(body);
    if (body.type.result.sort == Sort::Variable) {
      body.type.result.sort = Sort::Expression;  // It ends with its scope.
    }
    term.type = body.type;
  }

  void application(Term& term) {
    check(*term.children[0]);
    const Type function = term.children[0]->type;
    const std::size_t given = term.children.size() - 1;
    if (given > function.parameters.size()) {
      const std::size_t wanted = function.parameters.size();
      fail(term, wanted == 0
                     ? fmt::format("this is of type {}, and takes no arguments",
                                   to_string(function))
                     : fmt::format("{} arguments for a function of {}", given,
                                   wanted));
    }
    for (std::size_t i = 0; i < given; ++i) {
      check(*term.children[i + 1]);
      demand_argument(*term.children[i + 1], function.parameters[i]);
    }
    term.type = function;
    term.type.parameters.erase(
        term.type.parameters.begin(),
        term.type.parameters.begin() + static_cast<std::ptrdiff_t>(given));
  }

  void demand_argument(const Term& term, const BaseType& wanted) const {
    demand_base(term);
    const BaseType& given = term.type.result;
    const bool fits =
        wanted.sort == Sort::Expression
            ? given.has_data() && given.data.is_bool == wanted.data.is_bool
            : given == wanted;
    if (!fits) mismatch(term, to_string(wanted));
  }

  void demand_base(const Term& term) const {
    if (term.type.result.sort == Sort::Array) {
      fail(term, "an array is no term of its own; it needs an index");
    }
    if (!term.type.is_base()) {
      fail(term, fmt::format("this function of type {} has to be applied here",
                             to_string(term.type)));
    }
  }

  void check_command(Term& term, std::size_t child) {
    check(*term.children[child]);
    const Term& given = *term.children[child];
    demand_base(given);
    if (given.type.result.has_data()) mismatch(given, "com");
  }

  void check_data(Term& term, std::size_t child, bool is_bool) {
    check(*term.children[child]);
    demand_data(*term.children[child], is_bool);
  }

  void demand_data(const Term& given, bool is_bool) const {
    demand_base(given);
    const BaseType& type = given.type.result;
    if (!type.has_data() || type.data.is_bool != is_bool) {
      mismatch(given, is_bool ? "exp bool" : "exp number");
    }
  }

  [[noreturn]] void mismatch(const Term& term,
                             const std::string& wanted) const {
    fail(term, fmt::format("this is of type {}, but {} is needed here",
                           to_string(term.type), wanted));
  }

  const support::Source& source_;
  const Constants& constants_;
  std::vector<Binding> scope_;
};

}  // namespace

void check_types(Judgement& judgement, const support::Source& source,
                 const Constants& constants) {
  Checker(source, constants).run(judgement);
}

}  // namespace agon::algol
