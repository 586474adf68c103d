// SPDX-License-Identifier: Apache-2.0
#include "spec/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ir/fragment.h"
#include "spec/c_writer.h"
#include "spec/generate_parts.h"
#include "spec/specification.h"

namespace agon::spec {
namespace {

std::string arguments(const Signature& routine) {
  return fmt::format("{}", fmt::join(routine.names, ", "));
}

/// The condition of a class over `__agon_number` and the `__agon_c<i>`.
std::string class_test(const ReturnClasses& classes, const ReturnClass& one) {
  std::string text;
  const auto add = [&](const std::string& part) {
    text += text.empty() ? part : " && " + part;
  };
  const auto within = [](std::int64_t low, std::int64_t high) {
    if (low == high) return fmt::format("__agon_number == {}", literal(low));
    return fmt::format("(__agon_number >= {} && __agon_number <= {})",
                       literal(low), literal(high));
  };
  std::string ranges;
  for (const auto& [low, high] : one.ranges) {
    ranges += (ranges.empty() ? "" : " || ") + within(low, high);
  }
  if (!ranges.empty()) add("(" + ranges + ")");
  for (std::size_t i = 0; i < one.meets.size(); ++i) {
    const ReturnCondition& condition = classes.conditions()[i];
    if (condition.kind == ReturnCondition::Kind::C) {
      add(fmt::format("{}__agon_c{}", one.meets[i] ? "" : "!", i));
    } else if (condition.kind == ReturnCondition::Kind::Range &&
               one.ranges.empty()) {
      add(fmt::format("!({})", within(condition.low, condition.high)));
    }
  }
  return text.empty() ? "1" : text;
}

/// Performs the action of the class of `result`. Labels get the prefix.
void classify(CWriter& out, const std::string& number_type, Offset place,
              const ReturnClasses& classes, const ActionNames& action,
              const std::string& prefix = "") {
  if (classes.need_number()) {
    out << " const " << number_type << " __agon_number = (" << number_type
        << ")result;";
  }
  const auto& conditions = classes.conditions();
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    if (conditions[i].kind != ReturnCondition::Kind::C) continue;
    const WrittenCondition& written = conditions[i].value;
    out << fmt::format(" const int __agon_c{} = !!(", i);
    out.quote(*written.source, {written.offset, written.text}) << ");";
  }
  for (std::size_t i = 0; i < classes.classes().size(); ++i) {
    const ReturnClass& one = classes.classes()[i];
    out.at(place);
    if (i > 0) out << "else ";
    if (i + 1 < classes.classes().size()) {
      out << "if (" << class_test(classes, one) << ") ";
    }
    out << action(prefix + one.label) << "();";
  }
}

}  // namespace

void classify(CWriter& out, const LineToWrite& line, Offset place,
              const ReturnClasses& classes) {
  out << " const " << type_name(line) << " result = __agon_value;";
  classify(out, number_type(line), place, classes, line.action);
}

std::string prelude(const LineToWrite& line) {
  CWriter out(line.source);
  out << "\nextern unsigned int " << ir::kProcessChoice
      << "(void); extern void __agon_assume(int);";
  const Signature& routine = line.description.routine;
  if (!routine.is_void) {
    out << "\ntypedef ";
    out.quote(routine.type) << type_name(line) << ";\n";
  }
  return out.take();
}

std::string wrapper(const LineToWrite& line, std::size_t arm,
                    const std::string& function, const ReturnClasses& classes) {
  CWriter out(line.source);
  const Signature& routine = line.description.routine;
  const Arm& own = line.description.arms[arm];
  head(out, line, function);
  out << "{";
  number_checks(out, type_name(line), number_type(line), own.process.offset,
                classes.conditions());
  guards(out, line);
  if (own.guard) {
    out.at(own.guard->offset) << fmt::format("__agon_assume(__agon_g{});", arm);
  } else if (own.is_otherwise) {
    out.at(own.offset);
    for (std::size_t i = 0; i < arm; ++i) {
      out << fmt::format("__agon_assume(!__agon_g{});", i);
    }
  }
  if (!routine.is_void) out << type_name(line) << " __agon_value =";
  out.at(routine.name_offset)
      << routine.name << "(" << arguments(routine) << ");";
  if (!classes.conditions().empty()) {
    if (routine.is_void) {
      out.at(own.process.offset) << line.action("return") << "();";
    } else {
      out << " {";
      classify(out, line, own.process.offset, classes);
      out << " }";
    }
  }
  if (!routine.is_void) out << " return __agon_value;";
  out << " }\n";
  return out.take();
}

std::string guard_check(const LineToWrite& line, const std::string& function,
                        bool must_be_complete) {
  CWriter out(line.source);
  head(out, line, function, Result::None);
  out << "{";
  guards(out, line);
  std::string sum = "0";
  bool has_otherwise = false;
  for (std::size_t i = 0; i < line.description.arms.size(); ++i) {
    if (line.description.arms[i].guard) {
      sum += fmt::format(" + __agon_g{}", i);
    } else {
      has_otherwise = true;
    }
  }
  out.at(line.description.arms[0].offset)
      << "const int __agon_sum = " << sum << "; if (__agon_sum > 1) "
      << line.action(GuardCheck::kOverlap) << "();";
  if (must_be_complete && !has_otherwise) {
    out << " if (__agon_sum == 0) " << line.action(GuardCheck::kIncomplete)
        << "();";
  }
  for (std::size_t i = 0; i < line.description.arms.size(); ++i) {
    const bool is_guarded = line.description.arms[i].guard.has_value();
    out << (is_guarded ? fmt::format(" if (__agon_g{}) ", i)
                       : std::string(" if (__agon_sum == 0) "))
        << line.action(GuardCheck::covered(i)) << "();";
  }
  out << " }\n";
  return out.take();
}

std::string observer(const support::Source& source, const EventDef& event,
                     const std::string& function, const std::string& action) {
  CWriter out(source);
  out << "\nextern void " << action << "(void);\nvoid ";
  out.at(event.offset) << function << " " << ir::Fragment::kSignature << " {";
  if (event.condition) {
    out << "if (";
    out.quote(*event.condition) << ")";
  }
  out.at(event.offset) << action << "(); }\n";
  return out.take();
}

std::string called(const support::Source& source, Offset place,
                   const std::string& function, const std::string& action) {
  CWriter out(source);
  out << "\nvoid ";
  out.at(place) << function << " " << ir::Fragment::kSignature << " {" << action
                << "(); }\n";
  return out.take();
}

std::string returned(const support::Source& source, Offset place,
                     const std::string& function, const std::string& routine,
                     const ReturnClasses& classes, const ActionNames& action) {
  CWriter out(source);
  out << "\nvoid ";
  out.at(place) << function << " " << ir::Fragment::kSignature << " {";
  number_checks(out, "__typeof__(result)", "__agon_number_type", place,
                classes.conditions());
  classify(out, "__agon_number_type", place, classes, action, routine + ".");
  out << " }\n";
  return out.take();
}

}  // namespace agon::spec
