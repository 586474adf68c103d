// SPDX-License-Identifier: Apache-2.0
/// Every solver that has to keep the contract of smt/solver.h.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "smt/caching_solver.h"
#include "smt/patient_solver.h"
#include "smt/process_solver.h"
#include "smt/solver.h"
#include "smt/validating_solver.h"
#include "smt/z3_solver.h"

namespace agon::test {

using SolverMaker = std::function<std::unique_ptr<smt::Solver>()>;

struct Backend {
  std::string name;
  std::string program;  ///< That it needs.
  std::function<SolverMaker(term::Pool&)> maker;
  bool in_process = true;

  friend void PrintTo(const Backend& backend, std::ostream* out) {
    *out << backend.name;
  }
};

inline std::vector<Backend> all_backends() {
  using term::Pool;
  const auto z3 = [](Pool&) -> SolverMaker {
    return [terms = smt::make_z3_terms()] {
      return smt::make_z3_solver({}, terms);
    };
  };
  return {
      {"z3", "", z3},
      {"z3_one_shot", "",
       [](Pool&) -> SolverMaker {
         return [] { return smt::make_z3_solver({.one_shot = true}); };
       }},
      {"cvc5_process", "cvc5",
       [](Pool& pool) -> SolverMaker {
         return [&pool] {
           return smt::make_process_solver(pool, smt::cvc5_process());
         };
       },
       false},
      {"z3_process", "z3",
       [](Pool& pool) -> SolverMaker {
         return [&pool] {
           return smt::make_process_solver(pool, smt::z3_process());
         };
       },
       false},
      // Nothing is found out with a single resource.
      {"patient", "",
       [=](Pool& pool) -> SolverMaker {
         return [make = z3(pool), terms = smt::make_z3_terms()] {
           return smt::make_patient_solver(
               make(), smt::make_z3_solver({.one_shot = true}, terms),
               {.first = 1, .afresh = std::uint64_t{1} << 31});
         };
       }},
      {"caching", "",
       [=](Pool& pool) -> SolverMaker {
         return [make = z3(pool), cache = smt::make_query_cache()] {
           return smt::make_caching_solver(make(), cache);
         };
       }},
      {"validating", "",
       [=](Pool& pool) -> SolverMaker {
         return
             [make = z3(pool)] { return smt::make_validating_solver(make()); };
       }},
  };
}

inline bool is_installed(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (std::filesystem::exists(std::filesystem::path(folder) / program)) {
      return true;
    }
  }
  return false;
}

/// A test that runs on every back end.
class BackendTest : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    if (!GetParam().program.empty() && !is_installed(GetParam().program)) {
      FAIL() << GetParam().program << " is not installed; see tools";
    }
    make = GetParam().maker(pool);
  }

  term::Pool pool;
  SolverMaker make;
};

inline std::string backend_name(const testing::TestParamInfo<Backend>& info) {
  return info.param.name;
}

}  // namespace agon::test
