// SPDX-License-Identifier: Apache-2.0
#include "frontend/parse.h"

#include <clang/AST/Decl.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Tooling/ArgumentsAdjusters.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <tuple>
#include <unordered_map>

#include "frontend/pure.h"
#include "support/error.h"
#include "support/source.h"

namespace agon::frontend {
namespace {

namespace tooling = clang::tooling;

// Keeps the errors and turns them into one InputError.
class Errors : public clang::DiagnosticConsumer {
 public:
  explicit Errors(std::string directory) : directory_(std::move(directory)) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level < clang::DiagnosticsEngine::Error) return;
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    clang::PresumedLoc place;
    clang::SourceLocation where;
    if (info.hasSourceManager() && info.getLocation().isValid()) {
      where = info.getSourceManager().getExpansionLoc(info.getLocation());
      place = info.getSourceManager().getPresumedLoc(where);
    }
    // A fragment may quote one text of the user several times.
    if (place.isValid() &&
        !seen_.emplace(place.getFilename(), place.getLine(), place.getColumn())
             .second) {
      return;
    }
    ++count_;
    if (count_ > 1) return;
    llvm::StringRef message = text.str();
    // Fragments speak to the user by assertions of which the text says all.
    const std::size_t own = message.find("': a result of this type");
    if (own != llvm::StringRef::npos) message = message.drop_front(own + 3);
    if (message.starts_with("cannot assign to variable 'result' with const")) {
      message = kChangesSomething;
    }
    if (place.isValid() &&
        llvm::StringRef(place.getFilename()).starts_with(ir::Fragment::kMark) &&
        message == "invalid application of 'typeof' to bit-field") {
      message =
          "a bit-field cannot be modified alone; the structure that it is a "
          "part of can";
    }
    // A compile command that Clang cannot use is quoted at full length.
    constexpr std::size_t kLongest = 300;
    message_ = message.take_front(kLongest).str();
    if (place.isInvalid()) return;
    location_ = {place.getFilename(), place.getLine(), place.getColumn()};
    const clang::SourceManager& sources = info.getSourceManager();
    const auto [file, offset] = sources.getDecomposedLoc(where);
    const llvm::StringRef text_of_file = sources.getBufferData(file);
    const std::size_t before = text_of_file.substr(0, offset).rfind('\n');
    const std::size_t begin = before == llvm::StringRef::npos ? 0 : before + 1;
    line_ = text_of_file.slice(begin, text_of_file.find('\n', offset)).str();
  }

  void throw_if_any() const {
    if (count_ == 0) return;
    std::string message = message_;
    if (count_ > 1) {
      message += fmt::format(" (and {} more error{})", count_ - 1,
                             count_ == 2 ? "" : "s");
    }
    if (location_.line == 0) throw support::InputError(message);
    // Only now: while it runs, Clang changes the current directory.
    support::Location shown = location_;
    shown.file = shown_path(shown.file, directory_);
    throw support::InputError(
        message, shown, shown_line(location_.file, location_.line, line_));
  }

 private:
  std::string directory_;
  std::set<std::tuple<std::string, unsigned, unsigned>> seen_;
  std::size_t count_ = 0;
  std::string message_;
  support::Location location_;
  std::string line_;
};

// What old code needs to be accepted, as the compilers of its time did.
const std::vector<std::string> kTolerance{
    "-w",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=return-type",
    "-Wno-error=return-mismatch",
    "-Wno-error=builtin-requires-header",
    "-fno-spell-checking",
    "-fno-caret-diagnostics",
    "-fbracket-depth=4096",
    // Characters are classified by calls, and not by a table of the C library.
    "-D__NO_CTYPE",
};

bool mentions(const std::vector<std::string>& arguments,
              std::string_view start) {
  return std::ranges::any_of(arguments, [&](const std::string& argument) {
    return argument.starts_with(start);
  });
}

/// Where the compiler's own headers are: beside the program if it is installed,
/// otherwise where it was built.
std::string resource_directory() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path below = fs::path("lib") / "agon" / "clang";
  for (const fs::path& candidate :
       {program.parent_path().parent_path() / below,
        fs::path(AGON_CLANG_RESOURCE_DIR), fs::path("/usr") / below}) {
    if (fs::exists(candidate / "include" / "stddef.h", error)) {
      return candidate.string();
    }
  }
  return AGON_CLANG_RESOURCE_DIR;
}

// `shown` is how the user calls the file.
tooling::CommandLineArguments adjusted(
    const tooling::CommandLineArguments& given, llvm::StringRef file,
    const Options& options, const std::string& shown) {
  tooling::CommandLineArguments result{given.front()};
  result.insert(result.end(), {"-x", "c"});
  for (std::size_t i = 1; i < given.size(); ++i) {
    // The language is decided by us; `-Werror` is the build's own business.
    if (given[i] == "-x" && i + 1 < given.size()) {
      ++i;
    } else if (!llvm::StringRef(given[i]).starts_with("-Werror") &&
               given[i] != "-xc" && given[i] != "--" && given[i] != file) {
      result.push_back(given[i]);
    }
  }
  result.insert(result.end(), options.arguments.begin(),
                options.arguments.end());
  result.insert(result.end(), kTolerance.begin(), kTolerance.end());
  if (options.model.has_value()) {
    result.push_back(options.model == ir::DataModel::ILP32 ? "-m32" : "-m64");
  }
  if (!mentions(result, "-resource-dir")) {
    result.push_back("-resource-dir=" + resource_directory());
  }
  result.push_back("-fsyntax-only");
  result.push_back(shown);
  return result;
}

std::unique_ptr<tooling::CompilationDatabase> database(const Options& options) {
  if (options.build_directory.empty()) {
    return std::make_unique<tooling::FixedCompilationDatabase>(
        ".", std::vector<std::string>{});
  }
  std::string problem;
  auto loaded = tooling::CompilationDatabase::loadFromDirectory(
      options.build_directory, problem);
  if (loaded == nullptr) {
    throw support::InputError(
        fmt::format("no compile_commands.json can be read in '{}'",
                    options.build_directory));
  }
  return loaded;
}

std::string working_directory(const tooling::CompilationDatabase& commands,
                              const std::string& file,
                              support::Context& context) {
  const auto found = commands.getCompileCommands(
      std::filesystem::absolute(file).lexically_normal().string());
  if (found.empty()) {
    throw support::InputError(
        fmt::format("compile_commands.json has no command for '{}'", file));
  }
  if (!found.front().Heuristic.empty()) {
    context.note(fmt::format(
        "'{}' is not in compile_commands.json; its arguments are {}", file,
        found.front().Heuristic));
  }
  return found.front().Directory;
}

/// `addition` stands at the end of the file.
Parsed parse_file(const std::string& file, const std::string& addition,
                  const tooling::CompilationDatabase& commands,
                  const Options& options, support::Context& context) {
  const std::string directory = working_directory(commands, file, context);
  tooling::ClangTool tool(commands, {file});
  Errors errors(directory);
  tool.setDiagnosticConsumer(&errors);
  tool.setPrintErrorMessage(false);
  tool.clearArgumentsAdjusters();
  tool.appendArgumentsAdjuster(
      [&](const tooling::CommandLineArguments& given, llvm::StringRef name) {
        const bool as_given = options.build_directory.empty();
        return adjusted(given, name, options, as_given ? file : name.str());
      });
  tool.appendArgumentsAdjuster(tooling::getClangStripOutputAdjuster());
  tool.appendArgumentsAdjuster(tooling::getClangStripDependencyFileAdjuster());
  const std::string path =
      std::filesystem::absolute(file).lexically_normal().string();
  std::unique_ptr<const std::string> text;
  if (!addition.empty()) {
    text = std::make_unique<const std::string>(
        fmt::format("{}\n{}\n", support::Source::open(file).text(), addition));
    tool.mapVirtualFile(path, *text);
  }
  std::vector<std::unique_ptr<clang::ASTUnit>> made;
  const int failed = tool.buildASTs(made);
  errors.throw_if_any();
  if (failed != 0 || made.empty() || made.front() == nullptr) {
    throw support::InputError(fmt::format("Clang cannot parse '{}'", file));
  }
  return {std::move(text), std::move(made.front()), directory};
}

struct Known {
  std::size_t unit = 0;
  const clang::FunctionDecl* declaration = nullptr;
};

using KnownFunctions = std::unordered_map<std::string, Known>;

/// How much a declaration says about a function.
int weight(const clang::FunctionDecl* declared) {
  if (declared == nullptr) return 0;
  if (declared->doesThisDeclarationHaveABody()) return 3;
  return declared->isImplicit() ? 1 : 2;
}

/// The declaration of each function that says most. Those in bodies, of which
/// the implicit ones are a part, count as well.
void find_functions(const clang::DeclContext& context, std::size_t unit,
                    KnownFunctions& result) {
  for (const clang::Decl* declared : context.decls()) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declared);
    if (function == nullptr || function->getIdentifier() == nullptr) continue;
    Known& known = result[function->getName().str()];
    if (weight(function) > weight(known.declaration)) known = {unit, function};
    if (function->doesThisDeclarationHaveABody()) {
      find_functions(*function, unit, result);
    }
  }
}

std::vector<std::string> parameter_names(const clang::FunctionDecl& function,
                                         const ir::Fragment& fragment) {
  std::vector<std::string> names = fragment.parameters;
  names.resize(function.getNumParams());
  for (std::size_t i = 0; fragment.keeps_names && i < names.size(); ++i) {
    const auto* own = function.getParamDecl(static_cast<unsigned>(i));
    if (names[i].empty()) names[i] = own->getNameAsString();
    if (names[i].empty()) names[i] = fmt::format("__agon_parameter_{}", i);
  }
  return names;
}

std::string signature(const clang::FunctionDecl& function,
                      const ir::Fragment& fragment) {
  const clang::PrintingPolicy& policy =
      function.getASTContext().getPrintingPolicy();
  std::string text;
  const auto add = [&](clang::QualType type, std::string name) {
    type.getUnqualifiedType().getAsStringInternal(name, policy);
    text += (text.empty() ? "" : ", ") + name;
  };
  if (fragment.with_result && !function.getReturnType()->isVoidType()) {
    add(function.getReturnType(), "result");
  }
  const std::vector<std::string> names = parameter_names(function, fragment);
  for (std::size_t i = 0; i < names.size(); ++i) {
    add(function.getParamDecl(static_cast<unsigned>(i))->getType(), names[i]);
  }
  return "(" + (text.empty() ? "void" : text) + ")";
}

bool is_left_out(const clang::FunctionDecl& function,
                 const ir::Fragment& fragment) {
  const bool is_void = function.getReturnType()->isVoidType();
  return fragment.only ==
         (is_void ? ir::Fragment::Only::Values : ir::Fragment::Only::Nothing);
}

void replace_all(std::string& text, std::string_view word,
                 const std::string& by) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos;
       at += by.size()) {
    text.replace(at, word.size(), by);
  }
}

/// For each unit what is to be added to its file. Fragments of routines that no
/// unit knows are left out.
std::vector<std::string> place_fragments(
    const std::vector<Parsed>& units,
    const std::vector<ir::Fragment>& fragments) {
  KnownFunctions known;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const auto& context = units[i].tree->getASTContext();
    find_functions(*context.getTranslationUnitDecl(), i, known);
  }
  std::vector<std::string> result(units.size());
  for (const ir::Fragment& fragment : fragments) {
    const auto found = known.find(fragment.routine);
    if (found == known.end()) continue;
    const clang::FunctionDecl& function = *found->second.declaration;
    if (is_left_out(function, fragment)) continue;
    std::string text = fragment.text;
    replace_all(text, ir::Fragment::kSignature, signature(function, fragment));
    replace_all(text, ir::Fragment::kArguments,
                fmt::format("{}", fmt::join(parameter_names(function, fragment),
                                            ", ")));
    result[found->second.unit] += text;
  }
  return result;
}

}  // namespace

std::string shown_line(const std::string& name, unsigned line,
                       std::string buffer) {
  if (!name.starts_with(ir::Fragment::kMark)) return buffer;
  try {
    const auto source = support::Source::open(shown_path(name, {}));
    std::string_view rest = source.text();
    for (; line > 1 && rest.find('\n') != std::string_view::npos; --line) {
      rest.remove_prefix(rest.find('\n') + 1);
    }
    if (line == 1) return std::string(rest.substr(0, rest.find('\n')));
  } catch (const support::InputError&) {
    // It came with Agon, or is gone by now.
  }
  return buffer;
}

std::string shown_path(const std::string& name, const std::string& directory) {
  if (name.starts_with(ir::Fragment::kMark)) {
    return name.substr(ir::Fragment::kMark.size());
  }
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const fs::path there = directory.empty() ? here : fs::absolute(directory);
  // Build systems name files with their full paths, which users do not.
  const bool is_from_build =
      fs::path(name).is_absolute() && fs::path(directory).is_absolute();
  const bool is_as_given = fs::path(name).is_absolute() ||
                           there.lexically_normal() == here.lexically_normal();
  if (error || name.starts_with("<") || (is_as_given && !is_from_build)) {
    return name;
  }
  const fs::path full = (there / name).lexically_normal();
  const std::string nearer = full.lexically_relative(here).string();
  const bool is_far = nearer.empty() || nearer.starts_with("..");
  if (is_far) return is_from_build ? name : full.string();
  return nearer;
}

std::vector<Parsed> parse(std::span<const std::string> files,
                          const Options& options, support::Context& context) {
  std::set<std::filesystem::path> seen;
  for (const std::string& file : files) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) {
      throw support::InputError(fmt::format("cannot read '{}'", file));
    }
    if (!seen.insert(std::filesystem::weakly_canonical(file, error)).second) {
      throw support::InputError(fmt::format("'{}' is given twice", file));
    }
  }
  const auto commands = database(options);
  std::vector<Parsed> units;
  for (const std::string& file : files) {
    units.push_back(parse_file(file, "", *commands, options, context));
  }
  if (options.fragments.empty()) return units;
  const auto additions = place_fragments(units, options.fragments);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (additions[i].empty()) continue;
    units[i].tree.reset();
    units[i] = parse_file(files[i], additions[i], *commands, options, context);
    refuse_effects(units[i]);
  }
  return units;
}

}  // namespace agon::frontend
