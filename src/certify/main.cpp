// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <span>
#include <string>

#include "certify/claim.h"
#include "certify/component.h"
#include "certify/rejected.h"
#include "certify/relation.h"
#include "frontend/compiler_words.h"
#include "smt/solvers.h"
#include "support/error.h"

namespace agon::certify {
namespace {

enum ExitCode { kAccepted = 0, kRejected = 1, kBadInput = 2, kInternal = 4 };

struct Arguments {
  Input input;
  std::string solver = "cvc5";
  unsigned patience_s = 300;
};

void describe(CLI::App& app, Arguments& arguments) {
  static const std::map<std::string, ir::DataModel> models{
      {"ILP32", ir::DataModel::ILP32}, {"LP64", ir::DataModel::LP64}};
  app.add_option("CERTIFICATE", arguments.input.certificate,
                 "What 'agon --certificate' has written")
      ->required();
  app.add_option("FILES", arguments.input.files, "The C files")->required();
  app.add_option("--spec", arguments.input.spec, "The specification")
      ->type_name("S.agon");
  app.add_option("--api", arguments.input.api,
                 "Of a module: the functions that clients call")
      ->type_name("F,G")
      ->delimiter(',');
  app.add_flag("--callbacks", arguments.input.callbacks,
               "Of a module: routines without a body may call these, too");
  app.add_option("-p", arguments.input.options.build_directory,
                 "Directory of a compile_commands.json")
      ->type_name("DIR");
  app.add_option_function<std::string>(
         "--data-model",
         [&](const std::string& name) {
           arguments.input.options.model = models.at(name);
         },
         "LP64 or ILP32; by default that of the certificate")
      ->type_name("M")
      ->check(CLI::IsMember({"LP64", "ILP32"}));
  app.add_option("--solver", arguments.solver, "cvc5 (default) or z3")
      ->type_name("S")
      ->check(CLI::IsMember({"cvc5", "z3"}));
  app.add_option("--patience", arguments.patience_s,
                 "Give up a question to the solver after so many seconds")
      ->type_name("S");
  app.footer(std::string(frontend::kCompilerHelp) +
             "Example:\n  agon check examples/uart.c --spec "
             "examples/uart.agon --certificate proof\n"
             "  agon-certify proof examples/uart.c --spec examples/uart.agon");
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

/// What was shown, in one line.
std::string statement(const Arguments& arguments,
                      const evidence::Certificate& certificate,
                      const evidence::Proof& proof) {
  if (certificate.command == "module") {
    return fmt::format("module: {} for all clients that call {}{}", proof.spec,
                       fmt::join(arguments.input.api, ", "),
                       arguments.input.callbacks ? ", with callbacks" : "");
  }
  if (certificate.command == "reach") {
    return fmt::format("{} never calls {}", proof.target,
                       fmt::join(proof.errors, ", "));
  }
  return fmt::format("{}: {}{}", proof.target, proof.spec,
                     proof.guard.empty()
                         ? ""
                         : fmt::format(" for calls with {}", proof.guard));
}

void check(const Arguments& arguments, const Claims& claims,
           const evidence::Proof& proof, std::string& summary) {
  const Claim claim = claims.of(proof);
  check_relation(proof, claim.composition);
  check_progress(proof, claim);
  std::size_t states = 0;
  std::size_t queries = 0;
  for (std::size_t i = 0; i < claim.components.size(); ++i) {
    const ir::Flat& flat = claim.components[i];
    const evidence::CertifiedComponent& described = proof.components[i];
    states += described.states.size();
    check_program(*flat.program, flat.entry, described);
    const std::span before(proof.components.data(), i);
    // The same was checked of the same program.
    if (std::ranges::count(before, described) > 0) continue;
    smt::SolverFactory solvers(*flat.program->pool, {arguments.solver});
    const auto solver = solvers.make();
    smt::CheckLimits limits;
    limits.time = std::chrono::seconds(arguments.patience_s);
    solver->set_limits(limits);
    ComponentCheck component(*flat.program, flat.entry, described,
                             resting_places(claim, i), *solver);
    component.run();
    queries += component.num_queries();
  }
  summary = fmt::format("{} states, {} pairs, {} questions to {}; {}", states,
                        proof.pairs.size(), queries, arguments.solver,
                        claim.composition.asks_for_deadlocks ? "deadlocks"
                        : is_simulation(proof)               ? "simulation"
                                                             : "traces");
}

ExitCode check_all(Arguments arguments) {
  support::Context context;
  const evidence::Certificate certificate = evidence::read_certificate(
      support::Source::open(arguments.input.certificate));
  if (!arguments.input.options.model) {
    arguments.input.options.model = certificate.data_model == "ILP32"
                                        ? ir::DataModel::ILP32
                                        : ir::DataModel::LP64;
  }
  if (certificate.proofs.empty()) throw Rejected("it proves nothing");
  const Claims claims(arguments.input, certificate, context);
  ExitCode code = kAccepted;
  for (const evidence::Proof& proof : certificate.proofs) {
    const std::string what = statement(arguments, certificate, proof);
    try {
      std::string summary;
      check(arguments, claims, proof, summary);
      print(fmt::format("accepted: {}\n  {}\n", what, summary));
    } catch (const Rejected& reason) {
      print(fmt::format("rejected: {}\n  {}\n", what, reason.what()));
      code = kRejected;
    }
  }
  for (const std::string& question : claims.unproved()) {
    print(fmt::format("no proof: {}\n", question));
  }
  if (code == kAccepted && !claims.assumptions().empty()) {
    print("Assumptions\n");
    for (const ir::Assumption& assumption : claims.assumptions()) {
      print(fmt::format("  {}: {}\n", assumption.subject, assumption.why));
    }
  }
  return code;
}

ExitCode start(int argc, char** argv) {
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  frontend::CompilerWords taken = frontend::take_compiler_words(words);
  CLI::App app("Checks a proof that agon has written", "agon-certify");
  Arguments arguments;
  describe(app, arguments);
  arguments.input.options.arguments = taken.arguments;
  std::ranges::reverse(taken.rest);
  try {
    app.parse(taken.rest);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kAccepted : kBadInput;
  }
  try {
    return check_all(std::move(arguments));
  } catch (const Rejected& reason) {
    print(fmt::format("rejected: {}\n", reason.what()));
    return kRejected;
  }
}

}  // namespace
}  // namespace agon::certify

int main(int argc, char** argv) {
  try {
    return agon::certify::start(argc, argv);
  } catch (const agon::support::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return agon::certify::kBadInput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "agon-certify: internal error: {}\n", error.what());
    return agon::certify::kInternal;
  }
}
