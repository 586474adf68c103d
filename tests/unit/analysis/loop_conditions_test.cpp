// SPDX-License-Identifier: Apache-2.0
/// When loops end, for all of a few bits: what TerminatingLoops says, against
/// runs of the loops on plain numbers.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <vector>

#include "analysis/terminating_loops.h"
#include "helpers/random_lts.h"
#include "term/evaluate.h"

namespace agon::analysis {
namespace {

using term::Kind;
using term::Term;

// The runner. It knows numbers from 0 to 2^bits - 1 and nothing else.

unsigned modulo(long long number, unsigned bits) {
  const long long size = 1LL << bits;
  return static_cast<unsigned>(((number % size) + size) % size);
}

long long with_sign(unsigned number, unsigned bits) {
  const bool is_negative = number >= 1U << (bits - 1);
  return is_negative ? static_cast<long long>(number) - (1LL << bits) : number;
}

enum class Change { Add, AddTo, Subtract, Divide, DivideSigned, Shift, Copy };
constexpr Change kChanges[] = {
    Change::Add,          Change::AddTo, Change::Subtract, Change::Divide,
    Change::DivideSigned, Change::Shift, Change::Copy};

unsigned change(Change how, unsigned x, unsigned by, unsigned bits) {
  const long long a = with_sign(x, bits);
  const long long b = with_sign(by, bits);
  switch (how) {
    case Change::Add:
    case Change::AddTo:
      return modulo(static_cast<long long>(x) + by, bits);
    case Change::Subtract:
      return modulo(static_cast<long long>(x) - by, bits);
    case Change::Divide:
      return by == 0 ? modulo(-1, bits) : x / by;
    case Change::DivideSigned:
      return by == 0 ? modulo(a < 0 ? 1 : -1, bits) : modulo(a / b, bits);
    case Change::Shift:
      return by >= bits ? 0 : x >> by;
    case Change::Copy: {  // Shifts that copy the sign.
      long long result = a;
      for (unsigned i = 0; i < by; ++i) {
        result = result >= 0 ? result / 2 : (result - 1) / 2;
      }
      return modulo(result, bits);
    }
  }
  return 0;
}

enum class Order { Less, LessEqual, SignedLess, SignedLessEqual, Equal };
constexpr Order kOrders[] = {Order::Less, Order::LessEqual, Order::SignedLess,
                             Order::SignedLessEqual, Order::Equal};

bool is_ordered(Order how, unsigned a, unsigned b, unsigned bits) {
  switch (how) {
    case Order::Less:
      return a < b;
    case Order::LessEqual:
      return a <= b;
    case Order::SignedLess:
      return with_sign(a, bits) < with_sign(b, bits);
    case Order::SignedLessEqual:
      return with_sign(a, bits) <= with_sign(b, bits);
    case Order::Equal:
      return a == b;
  }
  return false;
}

enum class Widening { None, Zeros, Signs };

enum class Shape {
  First,    ///< while (x ORDER n) x = CHANGE(x, by)
  Last,     ///< do x = CHANGE(x, by); while (x ORDER n)
  TwoWays,  ///< while (x ORDER n) x += coin() ? by : other
  Copy,     ///< while (t = x + other, x = CHANGE(x, by), t ORDER n)
  Through,  ///< while (t = x + other, x = CHANGE(t, by), t ORDER n)
  Around,   ///< while (t = x + other, u = t, x = CHANGE(u, by), x ORDER n)
  Late,     ///< while (x = CHANGE(t, by), t = u + other, u = x, x ORDER n)
  Meet,     ///< while (x ORDER n) x += by, n += other
};

/// A loop, maybe with the sides exchanged, the condition negated, and x
/// extended before it is compared.
struct Form {
  unsigned bits = 4;
  Change how = Change::Add;
  unsigned by = 1;
  Order order = Order::Less;
  bool is_left = true;
  bool is_negated = false;
  Widening widening = Widening::None;
  Shape shape = Shape::First;
  unsigned other = 0;

  unsigned width() const {
    return widening == Widening::None ? bits : bits + 2;
  }

  bool stays(unsigned x, unsigned n) const {
    if (widening == Widening::Signs) x = modulo(with_sign(x, bits), width());
    return is_ordered(order, is_left ? x : n, is_left ? n : x, width()) !=
           is_negated;
  }

  /// Whether the loop ends whatever x is at first, and n if it changes: no
  /// state comes back.
  bool ends_always(unsigned n) const {
    const unsigned size = 1U << bits;
    if (shape == Shape::Late) return ends_always_late(n);
    std::vector<int> seen(size * (1U << width()), 0);
    for (unsigned x = 0; x < size; ++x) {
      if (!ends_from(x, n, seen)) return false;
    }
    return true;
  }

 private:
  /// The same where x comes around in two rounds: no t and u come back.
  bool ends_always_late(unsigned n) const {
    const unsigned size = 1U << bits;
    std::vector<unsigned> met(size * size, 0);  // From which start, plus 1.
    for (unsigned start = 0; start < size * size; ++start) {
      unsigned at = start;
      while (met[at] == 0) {
        met[at] = start + 1;
        const unsigned x = change(how, at / size, by, bits);
        if (!stays(x, n)) break;
        at = modulo(1LL * at + other, bits) * size + x;
        if (met[at] == start + 1) return false;
      }
    }
    return true;
  }

  /// Depth first; 1: on the way, 2: known to end.
  bool ends_from(unsigned x, unsigned n, std::vector<int>& seen) const {
    int& mark = seen[(n << bits) + x];
    if (mark != 0) return mark == 2;
    mark = 1;
    const unsigned copy = modulo(1LL * x + other, bits);
    const bool is_copied = shape == Shape::Copy || shape == Shape::Through;
    if (shape == Shape::Around) {
      const unsigned next = change(how, copy, by, bits);
      if (stays(next, n) && !ends_from(next, n, seen)) return false;
    } else if (stays(is_copied ? copy : x, n)) {
      const unsigned next_n =
          shape == Shape::Meet ? modulo(1LL * n + other, width()) : n;
      const unsigned changed = shape == Shape::Through ? copy : x;
      if (!ends_from(change(how, changed, by, bits), next_n, seen)) {
        return false;
      }
      if (shape == Shape::TwoWays &&
          !ends_from(modulo(1LL * x + other, bits), n, seen)) {
        return false;
      }
    }
    mark = 2;
    return true;
  }
};

std::ostream& operator<<(std::ostream& out, const Form& form) {
  return out << "bits " << form.bits << ", change "
             << static_cast<int>(form.how) << " by " << form.by << ", order "
             << static_cast<int>(form.order) << (form.is_left ? "" : " right")
             << (form.is_negated ? " negated" : "") << ", widening "
             << static_cast<int>(form.widening) << ", shape "
             << static_cast<int>(form.shape) << " with " << form.other;
}

/// The same as a program.
class Written {
 public:
  /// `n`: a constant in its place.
  explicit Written(const Form& form, std::optional<unsigned> n = std::nullopt)
      : form_(form), program_(ir::DataModel::LP64) {
    ir::Function function;
    function.name = function.display = "f";
    function.has_body = true;
    entry_ = program_.add_function(function);
    x_ = variable("x", term::Sort::bits(form.bits));
    bound = n ? pool().bits(*n, form.width())
              : program_[variable("n", term::Sort::bits(form.width()))].term;
    body_.set_entry(body_.add_location());
    body_.set_exit(body_.add_location());
    const auto head = body_.add_location();
    edge(body_.entry(), head, ir::Assume{pool().boolean(true)});
    add_loop(head);
    body_.finish();
    program_.functions[entry_.index()].body = std::move(body_);
  }

  Term ends_if() {
    const Calls calls(program_, entry_);
    const auto endings = find_endings(program_, calls);
    const ControlGraph control(program_, entry_, calls, endings);
    const Criterion criterion;
    const EdgeAccesses accesses(program_, calls, criterion);
    // The condition may be constant, and then there is no loop.
    EXPECT_LE(control.heads().size(), 1U);
    if (control.heads().empty()) return pool().boolean(true);
    return TerminatingLoops(program_, entry_, calls, control, accesses)
        .ends_if(control.heads().front());
  }

  Term bound;

 private:
  term::Pool& pool() { return *program_.pool; }

  void add_loop(ir::LocationId head) {
    const auto inside = body_.add_location();
    const ir::Assign step{x_, changed(value(x_))};
    switch (form_.shape) {
      case Shape::First:
        test(head, inside, value(x_));
        edge(inside, head, step);
        break;
      case Shape::Last:
        edge(head, inside, step);
        test(inside, head, value(x_));
        break;
      case Shape::TwoWays:
        test(head, inside, value(x_));
        add_two_ways(inside, head, step);
        break;
      case Shape::Copy:
      case Shape::Through: {
        const auto copy = variable("t", term::Sort::bits(form_.bits));
        const auto copied = body_.add_location();
        edge(head, copied, ir::Assign{copy, plus_other(value(x_))});
        edge(copied, inside,
             form_.shape == Shape::Copy ? step
                                        : ir::Assign{x_, changed(value(copy))});
        test(inside, head, value(copy));
        break;
      }
      case Shape::Around:
      case Shape::Late:
        test(add_three(head), head, value(x_));
        break;
      case Shape::Meet: {
        const auto half = body_.add_location();
        test(head, inside, value(x_));
        edge(inside, half, step);
        edge(half, head,
             ir::Assign{program_.variable_of(bound), plus_other(bound)});
      }
    }
  }

  /// Where the three assignments lead.
  ir::LocationId add_three(ir::LocationId from) {
    const auto t = variable("t", term::Sort::bits(form_.bits));
    const auto u = variable("u", term::Sort::bits(form_.bits));
    const bool is_late = form_.shape == Shape::Late;
    const ir::Assign around[] = {
        {t, plus_other(value(x_))}, {u, value(t)}, {x_, changed(value(u))}};
    const ir::Assign late[] = {
        {x_, changed(value(t))}, {t, plus_other(value(u))}, {u, value(x_)}};
    for (const ir::Assign& assign : is_late ? late : around) {
      const auto to = body_.add_location();
      edge(from, to, assign);
      from = to;
    }
    return from;
  }

  void add_two_ways(ir::LocationId from, ir::LocationId to, ir::Assign step) {
    const auto coin = variable("coin", term::Sort::boolean());
    const auto thrown = body_.add_location();
    const auto one = body_.add_location();
    const auto two = body_.add_location();
    edge(from, thrown, ir::Havoc{coin, ir::HavocReason::Input, ""});
    edge(thrown, one, ir::Assume{value(coin)});
    edge(thrown, two, ir::Assume{pool().negation(value(coin))});
    edge(one, to, step);
    edge(two, to, ir::Assign{x_, plus_other(value(x_))});
  }

  void test(ir::LocationId from, ir::LocationId to, Term what) {
    const Term stay = condition(what);
    const auto after = body_.add_location();
    edge(from, to, ir::Assume{stay});
    edge(from, after, ir::Assume{pool().negation(stay)});
    edge(after, body_.exit(), ir::Return{});
  }

  Term value(ir::VariableId id) const { return program_[id].term; }
  Term plus_other(Term to) {
    return pool().add(to, pool().bits(form_.other, to.width()));
  }

  ir::VariableId variable(const char* name, term::Sort sort) {
    ir::Variable made;
    made.name = made.display = name;
    made.kind = ir::VariableKind::Local;
    made.owner = entry_;
    const auto id = program_.add_variable(made, sort);
    program_.functions[entry_.index()].locals.push_back(id);
    return id;
  }

  void edge(ir::LocationId from, ir::LocationId to, ir::Statement statement) {
    body_.add_edge({from, to, std::move(statement), {}, {}});
  }

  Term changed(Term x) {
    const Term by = pool().bits(form_.by, form_.bits);
    switch (form_.how) {
      case Change::Add:
        return pool().add(x, by);
      case Change::AddTo:
        return pool().add(by, x);
      case Change::Subtract:
        return pool().subtract(x, by);
      case Change::Divide:
        return pool().binary(Kind::UDivide, x, by);
      case Change::DivideSigned:
        return pool().binary(Kind::SDivide, x, by);
      case Change::Shift:
        return pool().binary(Kind::ShiftRight, x, by);
      case Change::Copy:
        return pool().binary(Kind::ShiftRightSigned, x, by);
    }
    return {};
  }

  Term condition(Term x) {
    if (form_.widening == Widening::Zeros) {
      x = pool().zero_extend(x, form_.width());
    } else if (form_.widening == Widening::Signs) {
      x = pool().sign_extend(x, form_.width());
    }
    static constexpr Kind kKinds[] = {Kind::ULess, Kind::ULessEqual,
                                      Kind::SLess, Kind::SLessEqual,
                                      Kind::Equal};
    const Kind kind = kKinds[static_cast<int>(form_.order)];
    const Term left = form_.is_left ? x : bound;
    const Term right = form_.is_left ? bound : x;
    const Term compared = kind == Kind::Equal
                              ? pool().equal(left, right)
                              : pool().binary(kind, left, right);
    return form_.is_negated ? pool().negation(compared) : compared;
  }

  Form form_;
  ir::Program program_;
  ir::FunctionId entry_;
  ir::VariableId x_;
  ir::Cfa body_;
};

template <class Visit>
void for_each_form(unsigned bits, const Visit& visit) {
  for (const Change how : kChanges) {
    for (unsigned by = 0; by < 1U << bits; ++by) {
      for (const Order order : kOrders) {
        for (const int rest : {0, 1, 2, 3}) {
          for (const Widening widening :
               {Widening::None, Widening::Zeros, Widening::Signs}) {
            visit(
                Form{bits, how, by, order, rest % 2 == 0, rest >= 2, widening});
          }
        }
      }
    }
  }
}

/// Where the condition is not only enough but also needed: all but numbers that
/// are extended with their sign and then read without one, loops that count in
/// several ways, loops that change nothing, and shifts that leave nothing.
bool is_exact(const Form& form) {
  if (form.shape != Shape::First && form.shape != Shape::Last) return false;
  const bool is_signed =
      form.order == Order::SignedLess || form.order == Order::SignedLessEqual;
  const bool counts = form.how == Change::Add || form.how == Change::AddTo ||
                      form.how == Change::Subtract;
  if (counts) {
    return form.by != 0 && (form.widening != Widening::Signs || is_signed);
  }
  if (form.how == Change::Divide) return form.by >= 2;
  if (form.how == Change::DivideSigned) {
    return form.by >= 2 && form.by != modulo(-1, form.bits);
  }
  return form.by >= 1 && form.by < form.bits;
}

/// For which bounds the loop is said to end, against what it does. How many
/// there are.
std::size_t compare(const Form& form) {
  SCOPED_TRACE(testing::Message() << form);
  Written written(form);
  const Term ends_if = written.ends_if();
  std::size_t ending = 0;
  for (unsigned n = 0; n < 1U << form.width(); ++n) {
    const term::Assignment at{{written.bound, {written.bound.sort(), n, {}}}};
    const bool claimed = term::evaluate(ends_if, at).number != 0;
    const bool ends = form.ends_always(n);
    EXPECT_TRUE(ends || !claimed) << "n " << n;
    EXPECT_TRUE(claimed == ends || !is_exact(form)) << "n " << n;
    ending += claimed ? 1 : 0;
  }
  return ending;
}

class LoopConditions : public testing::TestWithParam<unsigned> {};

TEST_P(LoopConditions, HoldForBoundsWithWhichTheLoopEnds) {
  std::size_t ending = 0;
  for_each_form(GetParam(), [&](Form form) {
    if (HasFailure()) return;
    ending += compare(form);
    form.shape = Shape::Last;
    ending += compare(form);
  });
  EXPECT_GT(ending, 1000U);
}

TEST_P(LoopConditions, HoldForLoopsThatCountInSeveralWays) {
  std::map<Shape, std::size_t> ending;
  for_each_form(GetParam(), [&](Form form) {
    if (HasFailure() || form.how != Change::Add) return;
    for (form.other = 0; form.other < 1U << form.bits; ++form.other) {
      for (const Shape shape : {Shape::TwoWays, Shape::Copy, Shape::Through,
                                Shape::Around, Shape::Late, Shape::Meet}) {
        form.shape = shape;
        ending[shape] += compare(form);
      }
    }
  });
  for (const auto& [shape, count] : ending) {
    EXPECT_TRUE(count > 0 || GetParam() == 2) << static_cast<int>(shape);
  }
}

// Terms with constants are simplified, and look different.
TEST_P(LoopConditions, AreDecidedForConstants) {
  std::size_t ending = 0;
  std::size_t missed = 0;
  for_each_form(GetParam(), [&](const Form& form) {
    if (HasFailure()) return;
    SCOPED_TRACE(testing::Message() << form);
    for (unsigned n = 0; n < 1U << form.width(); ++n) {
      Written written(form, n);
      const Term ends_if = written.ends_if();
      const bool ends = form.ends_always(n);
      ASSERT_TRUE(ends_if.is_constant());
      ASSERT_TRUE(ends || !ends_if.is_true()) << "n " << n;
      ending += ends_if.is_true() ? 1 : 0;
      missed += is_exact(form) && ends && !ends_if.is_true() ? 1 : 0;
    }
  });
  EXPECT_GT(ending, 20 * missed);
}

INSTANTIATE_TEST_SUITE_P(Bits, LoopConditions, testing::Values(2U, 3U));
// All of it takes half a minute.
INSTANTIATE_TEST_SUITE_P(More, LoopConditions,
                         testing::Range(4U, test::scaled(4) > 4 ? 5U : 4U));

}  // namespace
}  // namespace agon::analysis
