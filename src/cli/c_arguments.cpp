// SPDX-License-Identifier: Apache-2.0
#include "cli/c_arguments.h"

#include <fmt/format.h>

#include "cli/option_kinds.h"
#include "frontend/compiler_words.h"

namespace agon::cli {
namespace {

/// C files and the options that the compiler needs for them, of which those
/// that are spelt as for clang are taken out before CLI11 sees them.
CLI::Option* add_c_input(CLI::App* command, CInput& input) {
  static const std::map<std::string, ir::DataModel> models{
      {"ILP32", ir::DataModel::ILP32}, {"LP64", ir::DataModel::LP64}};
  CLI::Option* const files =
      command->add_option("FILES", input.files, "C files, also pre-processed")
          ->required();
  command
      ->add_option("-p", input.options.build_directory,
                   "Directory of a compile_commands.json")
      ->type_name("DIR");
  command
      ->add_option_function<std::string>(
          "--data-model",
          [&input](const std::string& name) {
            input.options.model = models.at(name);
          },
          "Sizes of types: LP64 or ILP32; by default as the "
          "compile_commands.json says, otherwise LP64")
      ->type_name("ILP32|LP64")
      ->check(one_of(models));
  command->add_flag_callback(
      "--32", [&input] { input.options.model = ir::DataModel::ILP32; },
      "The same as --data-model ILP32");
  command->add_flag_callback(
      "--64", [&input] { input.options.model = ir::DataModel::LP64; },
      "The same as --data-model LP64");
  static const std::map<std::string, bool> overflows{{"wrap", false},
                                                     {"error", true}};
  command
      ->add_option_function<std::string>(
          "--overflow",
          [&input](const std::string& name) {
            input.options.overflow_is_error = overflows.at(name);
          },
          "What signed overflow does: wrap, as with gcc -fwrapv, or error, "
          "which calls __agon_overflow; for code that must not overflow")
      ->type_name("wrap|error")
      ->check(one_of(overflows));
  static const std::map<std::string, bool> reads{{"memory", false},
                                                 {"any", true}};
  command
      ->add_option_function<std::string>(
          "--volatile",
          [&input](const std::string& name) {
            input.options.volatile_is_input = reads.at(name);
          },
          "What reading a volatile object gives; what was written last "
          "(memory), or any value (any), as the registers of a device")
      ->type_name("memory|any")
      ->check(one_of(reads));
  command->add_flag("--malloc-may-fail", input.options.malloc_may_fail,
                    "Allocation may give null; by malloc, calloc, realloc "
                    "and aligned_alloc");
  command->footer(frontend::kCompilerHelp + command->get_footer());
  return files;
}

void add_refinement(CLI::App* command, refine::RefinerOptions& options) {
  add_choice<refine::PredicateSource>(
      command, "--predicates", options.predicates,
      {{"wp", refine::PredicateSource::WeakestPreconditions},
       {"branches", refine::PredicateSource::Branches}},
      "Where predicates come from: weakest preconditions (wp, the default) "
      "or branch conditions only");
  add_choice<refine::Candidates>(
      command, "--candidates", options.candidates,
      {{"core", refine::Candidates::Core}, {"play", refine::Candidates::Play}},
      "Which branches are tried first against a counterexample: those that "
      "contradict each other (core, the default) or all that it takes (play)");
  add_choice<refine::Minimise>(
      command, "--minimize", options.minimise,
      {{"none", refine::Minimise::None},
       {"greedy", refine::Minimise::Greedy},
       {"optimal", refine::Minimise::Optimal}},
      "Keep all predicates that were found (none, the default), leave out "
      "those that can be (greedy), or find a smallest set (optimal)");
  command
      ->add_option("--max-subsets", options.bounds.max_subsets,
                   "Try so many sets of predicates against a counterexample; "
                   "1000 by default")
      ->type_name("N")
      ->check(between(1, 1e9));
  command
      ->add_option("--max-eliminating", options.bounds.max_eliminating,
                   "Keep so many sets of predicates that rule out a "
                   "counterexample; 20 by default")
      ->type_name("N")
      ->check(between(1, 1e6));
  command
      ->add_option("--minimize-share", options.bounds.share,
                   "Spend so many hundredths of the work on finding few "
                   "predicates; 5 by default, 100: as much as it takes")
      ->type_name("N")
      ->check(between(1, 100));
}

void add_abstraction(CLI::App* command, verify::Options& options) {
  add_choice<abstraction::BlockMode>(
      command, "--blocks", options.blocks,
      {{"single", abstraction::BlockMode::Single},
       {"large", abstraction::BlockMode::Large}},
      "Abstract after each statement (single, as in the papers) or only at "
      "loops and actions (large, the default)");
  add_choice<verify::Expansion>(
      command, "--expansion", options.expansion,
      {{"lazy", verify::Expansion::Lazy}, {"full", verify::Expansion::Full}},
      "Compute the steps of a model when the game asks for them (lazy, the "
      "default) or all of them before (full)");
  add_choice<bool>(command, "--reuse", options.reuses_answers,
                   {{"on", true}, {"off", false}},
                   "Keep what is known about steps for later iterations (on, "
                   "the default)");
  command
      ->add_option_function<std::string>(
          "--layers",
          [&options](const std::string& word) {
            options.layers.set_quick(word == "on");
          },
          "Answer what can be answered without the solver (on, the default)")
      ->type_name("on|off")
      ->check(one_of(std::map<std::string, int>{{"on", 0}, {"off", 1}}));
}

void add_integers(CLI::App* command, verify::Integers& integers) {
  add_choice<verify::Integers>(
      command, "--integers", integers,
      {{"machine", verify::Integers::Machine},
       {"math", verify::Integers::Mathematical}},
      "Integers of their real width (machine, the default) or without bounds "
      "(math): as in the papers, for programs that do not overflow");
}

void add_solver(CLI::App* command, std::string& solver) {
  command
      ->add_option("--solver", solver,
                   "Who answers questions about formulas; z3 by default")
      ->type_name("z3|cvc5")
      ->check(one_of(std::map<std::string, int>{{"z3", 0}, {"cvc5", 1}}));
}

void add_engine(CLI::App* command, EngineOptions& engine) {
  verify::Options& verify = engine.verify;
  // First, so that what else is given wins.
  command->add_flag_callback(
      "--paper", [&verify] { verify = verify::as_published(verify); },
      "The algorithm as published: --blocks single --predicates branches "
      "--minimize optimal --integers math --expansion full --reuse off "
      "--layers off");
  add_integers(command, verify.integers);
  add_abstraction(command, verify);
  add_refinement(command, engine.verify.refinement);
  command
      ->add_option("--counterexamples", verify.counterexamples,
                   "Refine on so many strategies of the simulation game at "
                   "once; 1 by default")
      ->type_name("N")
      ->check(between(1, 1000));
  add_choice<unsigned>(command, "--falsification", verify.falsification,
                       {{"on", verify.falsification}, {"off", 0}},
                       "Play the abstract models as the game of 'agon falsify' "
                       "too (on, the default), which finds errors behind long "
                       "loops");
  add_choice<std::size_t>(
      command, "--invariants", verify.invariants,
      {{"on", verify.invariants}, {"off", 0}},
      "Look for relations that hold in every round of a loop, where refinement "
      "goes round it (on, the default)");
  add_choice<unsigned>(command, "--unrolling", verify.unrolling,
                       {{"on", verify.unrolling}, {"off", 0}},
                       "Write out loops that count, and look at paths one by "
                       "one too (on, the default), or only where nothing else "
                       "is left to try (off)");
  command
      ->add_option("--max-iterations", verify.max_iterations,
                   "Give up as 'unknown' after so many refinements")
      ->type_name("N")
      ->check(between(1, 1e9));
  command
      ->add_option("--max-predicates", verify.max_predicates,
                   "Give up as 'unknown' above so many predicates")
      ->type_name("N")
      ->check(between(1, 1e9));
  add_choice<bool>(command, "--trace", engine.full_trace,
                   {{"short", false}, {"full", true}},
                   "Print the steps of a counterexample that stand in the "
                   "source (short, the default) or all (full)");
  command
      ->add_option("--certificate", engine.certificate,
                   "Write proofs of all that holds, for agon-certify")
      ->type_name("FILE");
  add_solver(command, engine.solver);
}

void add_harness(CLI::App* command, std::string& harness) {
  command
      ->add_option("--harness", harness,
                   "Write C that makes the program do what was found; to be "
                   "compiled with it, if there is a violation")
      ->type_name("FILE.c");
}

void add_conformance(CLI::App* command, verify::Conformance& conformance) {
  add_choice<verify::Conformance>(
      command, "--conformance", conformance,
      {{"auto", verify::Conformance::Auto},
       {"simulation", verify::Conformance::Simulation},
       {"trace", verify::Conformance::Trace}},
      "What conformance means: that all traces are allowed, of which a "
      "simulation is the cheaper proof (auto, the default; trace omits it), "
      "or simulation itself");
}

}  // namespace

void add_options(CLI::App* command, ModelOptions& options) {
  static const std::map<std::string, ModelView> views{
      {"cfa", ModelView::Cfa},
      {"blocks", ModelView::Blocks},
      {"abstract", ModelView::Abstract}};
  add_c_input(command, options.input);
  command
      ->add_option_function<std::string>(
          "--as",
          [&options](const std::string& name) {
            options.view = views.at(name);
          },
          "What to show; cfa, the control-flow automata (default); blocks, "
          "what happens between loops and actions; abstract, the model on "
          "which a question was decided")
      ->type_name("cfa|blocks|abstract")
      ->check(one_of(views));
  command
      ->add_option("--spec", options.spec,
                   "With blocks and abstract: what is asked; otherwise the "
                   "question is that of 'agon reach'")
      ->type_name("S.agon");
  command
      ->add_option("--target", options.target,
                   "Which procedure of the specification; by default the "
                   "first")
      ->type_name("NAME");
  add_integers(command, options.integers);
  command->add_flag("--aut", options.aut, "With abstract: write .aut");
  command->add_flag("--dot", options.dot, "Write it for Graphviz");
  command
      ->add_option("-o,--output", options.output,
                   "Write to this file instead of stdout")
      ->type_name("OUT");
  command->add_option("--function", options.function, "Show only this function")
      ->type_name("NAME");
  command
      ->add_option("--entry", options.entry,
                   "Start here, and leave out what is not used then; the "
                   "following options start in 'main' by default")
      ->type_name("NAME");
  command->add_flag("--inline", options.inline_calls,
                    "Put the bodies of functions where they are called");
  command->add_flag("--regions", options.regions,
                    "Divide memory into regions that do not overlap");
  command->add_flag("--typed-characters", options.typed_characters,
                    "Assume that pointers to characters that come from "
                    "outside the program point to characters only; for "
                    "functions that fill buffers, which else may be anything");
  command->add_flag("--slice", options.slice,
                    "Keep only what can influence results; and calls of "
                    "routines without a body");
}

void add_options(CLI::App* command, ConformanceOptions& options) {
  add_c_input(command, options.input)
      ->required(false)
      ->description(
          "C files, also pre-processed; without any, those of the "
          "compile_commands.json (-p) that a target needs");
  command
      ->add_option("--spec", options.spec,
                   "What to verify, and what to assume about routines; a "
                   "directory means all .agon files in it")
      ->type_name("S.agon")
      ->required();
  command
      ->add_option("--jobs", options.jobs,
                   "Decide so many targets at once; each in a process of its "
                   "own. By default as many as there are cores if there are "
                   "several specifications")
      ->type_name("N")
      ->check(between(1, 1000));
  command
      ->add_option("--target", options.target,
                   "Verify only this procedure or program")
      ->type_name("NAME");
  add_conformance(command, options.engine.verify.conformance);
  add_choice<verify::Levels>(
      command, "--levels", options.engine.verify.levels,
      {{"one", verify::Levels::One}, {"two", verify::Levels::Two}},
      "Of programs with several components: compose the abstractions of the "
      "components (one), or what is left of them when states that offer the "
      "same actions are merged as far as possible (two, the default)");
  add_harness(command, options.engine.harness);
  add_engine(command, options.engine);
}

void add_options(CLI::App* command, ReachOptions& options) {
  add_c_input(command, options.input);
  command
      ->add_option("--entry", options.entry,
                   "Where execution starts; a function other than 'main' may "
                   "be called at any time")
      ->type_name("NAME")
      ->capture_default_str();
  command
      ->add_option("--property", options.property,
                   "An SV-COMP property file: unreach-call or no-overflow")
      ->type_name("P.prp");
  command
      ->add_option(
          "--witness", options.witness,
          "Write an SV-COMP witness, format 2.0; of a violation, or of a proof")
      ->type_name("FILE.yml");
  command->add_flag("--svcomp", options.svcomp,
                    "End with a line in the words of SV-COMP; for BenchExec");
  add_harness(command, options.engine.harness);
  add_engine(command, options.engine);
}

void add_options(CLI::App* command, FalsifyOptions& options) {
  falsify::Options& falsify = options.falsify;
  add_c_input(command, options.input);
  command
      ->add_option("--entry", options.entry,
                   "Where execution starts; a function other than 'main' may "
                   "be called at any time")
      ->type_name("NAME")
      ->capture_default_str();
  command
      ->add_option("--domain", options.domain,
                   fmt::format("What the abstraction knows; {}; with + between "
                               "them, the reduced product; by default several, "
                               "the quick ones first",
                               fmt::join(domain::names(), ", ")))
      ->type_name("D");
  command
      ->add_option("--from", options.from,
                   "Ask about executions that get to LINE or FILE:LINE; "
                   "whether they fail, if any gets there")
      ->type_name("PLACE");
  add_choice<bool>(command, "--must", falsify.must,
                   {{"on", true}, {"off", false}},
                   "Let the solver look for steps that every state takes (on), "
                   "where an abstraction is nearly precise enough");
  add_choice<falsify::Choices>(
      command, "--choices", falsify.choices,
      {{"values", falsify::Choices::Values},
       {"generators", falsify::Choices::Generators}},
      "Choose a value in one step (values, the default) or by counting "
      "(generators, as in the paper)");
  add_choice<falsify::Player>(
      command, "--inputs", falsify.model.inputs,
      {{"falsifier", falsify::Player::Falsifier},
       {"preventer", falsify::Player::Preventer}},
      "Who chooses inputs; the falsifier (default), or the preventer, to ask "
      "whether every execution fails");
  add_harness(command, options.harness);
  add_solver(command, options.solver);
}

void add_options(CLI::App* command, ModuleOptions& options) {
  add_c_input(command, options.input);
  command
      ->add_option("--api", options.api,
                   "The functions that clients call, separated by commas")
      ->type_name("F,G")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->required();
  command
      ->add_option("--spec", options.spec,
                   "What else to verify, and what to assume; with 'verify "
                   "module', and about routines without a body")
      ->type_name("S.agon");
  command->add_flag("--callbacks", options.callbacks,
                    "Routines without a body may call back; they call the "
                    "functions too, from inside of a call");
  add_harness(command, options.engine.harness);
  add_conformance(command, options.engine.verify.conformance);
  add_engine(command, options.engine);
}

void add_options(CLI::App* command, ReplayOptions& options) {
  command
      ->add_option("RESULT", options.file,
                   "What --json wrote of a run with a violation")
      ->type_name("RESULT.json")
      ->required();
  command
      ->add_option("--result", options.result,
                   "Which of its results, from 1 on; by default the first "
                   "violation that was recorded")
      ->type_name("N")
      ->check(between(1, 1e9));
  add_choice<bool>(command, "--trace", options.full_trace,
                   {{"short", false}, {"full", true}},
                   "Print the steps that stand in the source (short, the "
                   "default) or all (full)");
  add_harness(command, options.harness);
  command->add_flag("--trust", options.trust,
                    "Believe the result, if it is your own; read files outside "
                    "of this directory and that of the result, and give the "
                    "compiler any arguments, if it says so");
}

}  // namespace agon::cli
