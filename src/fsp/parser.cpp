// SPDX-License-Identifier: Apache-2.0
#include "fsp/parser.h"

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <utility>

#include "fsp/process_parser.h"

namespace agon::fsp {
namespace {

using Kind = TokenKind;

constexpr std::size_t kMaxParameters = 100;

class FileParser : public ProcessParser {
 public:
  using ProcessParser::ProcessParser;

  File run() {
    while (!at(Kind::End)) definition();
    return std::move(file_);
  }

  ProcRef lone_reference() {
    ProcRef result = reference();
    if (!at(Kind::End)) expected("nothing after the process");
    return result;
  }

 private:
  /// Where each name of a namespace was defined.
  using Names = std::unordered_map<std::string, Offset>;

  void definition() {
    switch (peek().kind) {
      case Kind::Const:
        return constant();
      case Kind::Range:
        return range();
      case Kind::Set:
        return set_definition();
      case Kind::Progress:
        return progress();
      case Kind::Menu:
        return menu();
      case Kind::Import:
        return import();
      case Kind::Unsupported:
        return unsupported();
      case Kind::Open:
        return in_place();
      default:
        return process();
    }
  }

  void constant() {
    ValueDef& def = value(ValueDef::Kind::Constant);
    def.operands.push_back(simple_expression());
  }

  void range() {
    ValueDef& def = value(ValueDef::Kind::Range);
    def.operands.push_back(simple_expression());
    expect(Kind::DotDot, "'..' between the bounds of a range");
    def.operands.push_back(simple_expression());
  }

  void set_definition() {
    ValueDef& def = value(ValueDef::Kind::Set);
    def.set = set_literal();
    declare_set(def.name);
  }

  /// The common beginning `const N =`, `range N =` and `set N =`.
  ValueDef& value(ValueDef::Kind kind) {
    take();
    const Token name = new_name(values_, "a constant, range or set");
    ValueDef& def = file_.values.emplace_back();
    def.kind = kind;
    def.offset = name.offset;
    def.name = name.text;
    expect(Kind::Equal, "'=' after the name");
    return def;
  }

  void progress() {
    const Offset offset = take().offset;
    if (!options().allow_progress) {
      fail(offset,
           "a specification has no progress tests: they are for 'agon lts "
           "check'");
    }
    const Token name = new_name(progress_, "a progress test");
    ProgressDef def;
    def.offset = name.offset;
    def.name = name.text;
    if (at(Kind::OpenSquare)) def.ranges = ranges();
    expect(Kind::Equal, "'=' after the name of a progress test");
    if (accept(Kind::If)) {
      def.condition = labels();
      expect(Kind::Then, "'then'");
    }
    def.actions = labels();
    file_.progress.push_back(std::move(def));
  }

  // A menu chooses the buttons of LTSA's animator and has no meaning here.
  void menu() {
    take();
    new_name(menus_, "a menu");
    expect(Kind::Equal, "'=' after the name of a menu");
    labels();
  }

  void import() {
    const Token keyword = take();
    if (!options().allow_import) {
      fail(keyword.offset, "'import' is not allowed here");
    }
    const Token name = new_process();
    ProcessDef def;
    def.kind = ProcessDef::Kind::Import;
    def.offset = name.offset;
    def.name = name.text;
    expect(Kind::Equal, "'=' after the name of the process");
    const Token path = expect(Kind::String, "the file's name in quotes");
    def.path = path.text;
    def.path_offset = path.offset;
    file_.processes.push_back(std::move(def));
  }

  [[noreturn]] void unsupported() {
    const Token token = peek();
    if (token.text == "assert" || token.text == "fluent" ||
        token.text == "constraint") {
      fail(token.offset,
           fmt::format("linear temporal logic (FLTL) is not supported, and so "
                       "'{}' is not either",
                       token.text));
    }
    if (token.text == "animation" || token.text == "include") {
      fail(token.offset, fmt::format("'{}' is not supported", token.text));
    }
    expected("a definition");
  }

  void process() {
    ProcessDef def;
    const Token start = peek();
    while (modifier(def)) {
    }
    if (accept(Kind::BarBar)) def.kind = ProcessDef::Kind::Composite;
    if (!at(Kind::Upper)) expected("a definition");
    if (def.is_composed && def.kind == ProcessDef::Kind::Primitive) {
      fail(start.offset, "'compose' is only for composite processes ('||P')");
    }
    const Token name = new_process();
    def.offset = name.offset;
    def.name = name.text;
    parameters(def);
    expect(Kind::Equal, "'=' after the name of a process");
    if (def.kind == ProcessDef::Kind::Primitive) {
      primitive(def, name);
    } else {
      def.body.push_back(component());
      def.priority = priority();
    }
    def.hiding = hiding();
    if (at(Kind::Comma)) {
      fail(peek().offset,
           "no process can follow here: '+ {a}', relabelling and hiding stand "
           "behind the last local process of a definition");
    }
    expect(Kind::Dot, "'.' at the end of the definition");
    file_.processes.push_back(std::move(def));
  }

  void in_place() {
    if (!options().allow_in_place) expected("a definition");
    ProcessDef def;
    def.offset = peek().offset;
    def.name = in_place_name(def.offset);
    LocalDef& whole = def.locals.emplace_back();
    whole.offset = def.offset;
    whole.name = def.name;
    whole.body = local();
    if (accept(Kind::Plus)) def.extension = set();
    file_.processes.push_back(std::move(def));
  }

  bool modifier(ProcessDef& def) {
    bool* flag = nullptr;
    if (at(Kind::Deterministic)) flag = &def.is_deterministic;
    if (at(Kind::Minimal)) flag = &def.is_minimal;
    if (at(Kind::Compose)) flag = &def.is_composed;
    if (at(Kind::Property)) flag = &def.is_property;
    if (flag == nullptr) return false;
    const Token token = take();
    if (*flag) {
      fail(token.offset, fmt::format("'{}' is here already", token.text));
    }
    *flag = true;
    return true;
  }

  void parameters(ProcessDef& def) {
    if (!accept(Kind::Open)) return;
    Names names;
    do {
      const Token name = new_name(names, "a parameter");
      Parameter& parameter = def.parameters.emplace_back();
      parameter.offset = name.offset;
      parameter.name = name.text;
      expect(Kind::Equal, "'=' and the default value of the parameter");
      parameter.fallback = expression();
      if (def.parameters.size() > kMaxParameters) {
        fail(name.offset, fmt::format("'{}' has more than {} parameters",
                                      def.name, kMaxParameters));
      }
    } while (accept(Kind::Comma));
    expect(Kind::Close, "',' or ')' after a parameter");
  }

  void primitive(ProcessDef& def, const Token& name) {
    def.locals = locals(name);
    if (accept(Kind::Plus)) def.extension = set();
    def.relabels = relabels();
  }

  Token new_process() {
    if (at(Kind::Upper)) check_not_predefined(peek());
    return new_name(processes_, "a process");
  }

  /// Takes a name that is to be defined and has not been yet.
  Token new_name(Names& names, const char* what) {
    const Token name = expect(Kind::Upper, fmt::format("the name of {}", what));
    const auto [known, is_new] =
        names.emplace(std::string(name.text), name.offset);
    if (!is_new) {
      fail(name.offset,
           fmt::format("'{}' is already defined on line {}", name.text,
                       source().locate(known->second).line));
    }
    return name;
  }

  File file_;
  Names values_;
  Names processes_;
  Names progress_;
  Names menus_;
};

}  // namespace

File parse_file(const support::Source& source, const ParseOptions& options) {
  return FileParser(source, options).run();
}

ProcRef parse_reference(const support::Source& source) {
  return FileParser(source, ParseOptions{}).lone_reference();
}

}  // namespace agon::fsp
