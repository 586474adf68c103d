// SPDX-License-Identifier: Apache-2.0
#include "ir/routines.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <variant>

namespace agon::ir {
namespace {

constexpr std::array kAllocators = {
    std::string_view("malloc"),  std::string_view("calloc"),
    std::string_view("realloc"), std::string_view("aligned_alloc"),
    std::string_view("alloca"),  std::string_view("__builtin_alloca"),
};
constexpr std::size_t kNumFallible = 4;  // The first ones.
constexpr std::string_view kFails = "_fails";

/// These neither keep nor change what their arguments point to.
constexpr std::array kHarmless = {
    std::string_view("abort"),
    std::string_view("exit"),
    std::string_view("_exit"),
    std::string_view("_Exit"),
    std::string_view("__assert_fail"),
    std::string_view("__assert"),
    std::string_view("__agon_overflow"),
    std::string_view("reach_error"),
    std::string_view("free"),
    std::string_view("printf"),
    std::string_view("fprintf"),
    std::string_view("vprintf"),
    std::string_view("vfprintf"),
    std::string_view("puts"),
    std::string_view("fputs"),
    std::string_view("putchar"),
    std::string_view("putc"),
    std::string_view("fputc"),
    std::string_view("fflush"),
    std::string_view("fclose"),
    std::string_view("perror"),
    std::string_view("strlen"),
    std::string_view("strnlen"),
    std::string_view("strcmp"),
    std::string_view("strncmp"),
    std::string_view("strcasecmp"),
    std::string_view("strncasecmp"),
    std::string_view("memcmp"),
    std::string_view("bcmp"),
    std::string_view("atoi"),
    std::string_view("atol"),
    std::string_view("abs"),
    std::string_view("rand"),
    std::string_view("srand"),
    std::string_view("isalpha"),
    std::string_view("isdigit"),
    std::string_view("isalnum"),
    std::string_view("isspace"),
    std::string_view("isupper"),
    std::string_view("islower"),
    std::string_view("isxdigit"),
    std::string_view("toupper"),
    std::string_view("tolower"),
    std::string_view("getchar"),
    std::string_view("sleep"),
    std::string_view("usleep"),
};

/// These fill what the first argument points to with characters.
constexpr std::array kFilling = {
    std::string_view("sprintf"),  std::string_view("snprintf"),
    std::string_view("vsprintf"), std::string_view("vsnprintf"),
    std::string_view("bzero"),
};

/// These return their first argument, moved or not, and may write characters.
constexpr std::array kReturningFirst = {
    std::string_view("strcpy"),  std::string_view("strncpy"),
    std::string_view("strcat"),  std::string_view("strncat"),
    std::string_view("memset"),  std::string_view("memcpy"),
    std::string_view("memmove"), std::string_view("fgets"),
    std::string_view("strchr"),  std::string_view("strrchr"),
    std::string_view("strstr"),  std::string_view("strpbrk"),
    std::string_view("memchr"),
};

/// These give something of their own and keep no argument.
constexpr std::array kOutside = {
    std::string_view("fopen"),
    std::string_view("__errno_location"),
    std::string_view("getenv"),
    std::string_view("strerror"),
};

template <std::size_t n>
bool holds(const std::array<std::string_view, n>& names,
           std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Routines that do nothing but end the run: the model says it all.
constexpr std::array<std::string_view, 10> kEndings = {
    "abort",           "exit",        "_exit",
    "_Exit",           "quick_exit",  "__assert_fail",
    "__assert",        "reach_error", "__VERIFIER_error",
    "__agon_overflow",
};

bool is_fallible(std::string_view name) {
  return std::ranges::count(std::span(kAllocators).first(kNumFallible), name) >
         0;
}

std::string_view what_it_does(const Function& routine, bool may_fail) {
  if (may_fail) return "taken to give memory of its own, or none";
  if (holds(kAllocators, routine.name)) {
    return "taken to succeed and to give memory of its own";
  }
  const RoutineModel model = routine_model(routine);
  if (!model.is_known || model.is_client) {
    return "has no body: may return anything, and change what its arguments "
           "reach and what other files can see";
  }
  return model.writes ? "has no body: may return anything, and is taken to "
                        "change nothing but what its first argument points to"
                      : "has no body: may return anything, and is taken to "
                        "change nothing, not even errno";
}

void assume_routine(Program& program, FunctionId id, bool may_fail,
                    const Position& position) {
  const std::string name = program[id].name;
  if (holds(kEndings, name) || name == "free") return;
  if (name.starts_with("__agon_")) return;  // Part of a specification.
  program.assume(name, std::string(what_it_does(program[id], may_fail)),
                 position);
}

}  // namespace

RoutineModel routine_model(const Function& routine) {
  const std::string_view name = routine.name;
  RoutineModel model;
  if (holds(kAllocators, name)) {
    model = {true, RoutineResult::Fresh, false, false, false};
  } else if (name == kClientValue || name == kClientActs) {
    model = {true, RoutineResult::Anything, false, name == kClientActs, true};
  } else if (routine.is_action || holds(kHarmless, name) ||
             name.starts_with("__VERIFIER_")) {
    model = {true, RoutineResult::Nothing, false, false, false};
  } else if (holds(kFilling, name)) {
    model = {true, RoutineResult::Nothing, false, true, false};
  } else if (holds(kReturningFirst, name)) {
    const bool copies = name.ends_with("cpy") || name == "memmove";
    const bool searches =
        name.find("ch") != name.npos || name == "strstr" || name == "strpbrk";
    model = {true, RoutineResult::Argument, copies, !searches, false};
  } else if (name.starts_with("__agon_any_")) {
    model = {true, RoutineResult::Anything, false, false, false};
  } else if (holds(kOutside, name)) {
    model = {true, RoutineResult::Outside, false, false, false};
  }
  return model;
}

std::optional<std::string> failure_of(const Function& routine) {
  if (routine.has_body || !is_fallible(routine.name)) return std::nullopt;
  return routine.name + std::string(kFails);
}

std::optional<std::string> allocator_of(std::string_view input) {
  if (!input.ends_with(kFails)) return std::nullopt;
  input.remove_suffix(kFails.size());
  if (!is_fallible(input)) return std::nullopt;
  return std::string(input);
}

void assume_routines(Program& program) {
  std::vector<bool> seen(program.functions.size(), false);
  std::vector<std::pair<FunctionId, Position>> found;
  std::set<std::string> fallible;
  for (const Function& function : program.functions) {
    for (const Edge& edge : function.body.edges()) {
      if (const auto* const input = std::get_if<Havoc>(&edge.statement)) {
        if (const auto each = allocator_of(input->source)) {
          fallible.insert(*each);
        }
      }
      const auto* const call = std::get_if<Call>(&edge.statement);
      if (call == nullptr || !call->callee.valid()) continue;
      const Function& callee = program[call->callee];
      if (callee.has_body || callee.is_action || seen[call->callee.index()]) {
        continue;
      }
      seen[call->callee.index()] = true;
      found.emplace_back(call->callee, edge.position);
    }
  }
  for (const auto& [id, position] : found) {
    assume_routine(program, id, fallible.contains(program[id].name), position);
  }
}

bool moves_blocks(const Program& program) {
  const auto is_realloc = [&](const Edge& edge) {
    const auto* const call = std::get_if<Call>(&edge.statement);
    return call != nullptr && call->callee.valid() &&
           !program[call->callee].has_body &&
           program[call->callee].name == "realloc";
  };
  return std::ranges::any_of(program.functions, [&](const Function& function) {
    return std::ranges::any_of(function.body.edges(), is_realloc);
  });
}

}  // namespace agon::ir
