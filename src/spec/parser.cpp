// SPDX-License-Identifier: Apache-2.0
#include "spec/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "spec/return_labels.h"
#include "spec/scanner.h"
#include "spec/signature.h"
#include "support/suggest.h"

// The text is two languages at once. Lines that start with `assume`, `verify`,
// `event` or `import "…"` are read here and blanked out, except for processes
// written in place; what remains is FSP of the same length.

namespace agon::spec {
namespace {

using Language = Scanner::Language;

constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxConditions = 26 * 26;
constexpr std::size_t kMaxArms = 100;

class Parser {
 public:
  Parser(std::shared_ptr<const support::Source> source,
         WrittenConditions& conditions)
      : scanner_(*source), conditions_(conditions) {
    file_.source = std::move(source);
    file_.processes = file_.source->text();
  }

  File run() {
    if (file_.processes.size() > kMaxBytes) {
      scanner_.fail(
          0, fmt::format("the file is larger than {} MB", kMaxBytes >> 20));
    }
    while (scanner_.skip_space(), !scanner_.at_end()) {
      const std::size_t begin = scanner_.at();
      kept_.clear();
      if (line()) {
        blank(begin, scanner_.at());
      } else if (scanner_.word() == "return") {
        rewrite_return();
      } else if (std::string_view("([{").find(scanner_.peek()) !=
                 std::string_view::npos) {
        process_text();
      } else {
        scanner_.step();
      }
    }
    return std::move(file_);
  }

 private:
  /// Whether a line that is not FSP was here; it has been taken then.
  bool line() {
    const Offset offset = scanner_.offset();
    if (scanner_.word() == "import") return import();
    if (scanner_.accept("assume")) {
      description(offset, true);
    } else if (scanner_.accept("verify")) {
      if (scanner_.word() == "program" && program()) return true;
      if (scanner_.word() == "module" && module(offset)) return true;
      description(offset, false);
    } else if (scanner_.accept("event")) {
      event(offset);
    } else {
      return false;
    }
    return true;
  }

  bool import() {
    const std::size_t begin = scanner_.at();
    scanner_.accept("import");
    if (scanner_.peek() != '"') {  // An FSP import of an .aut file.
      scanner_.go_to(begin);
      return false;
    }
    ImportDef def;
    def.offset = scanner_.offset();
    const std::size_t open = scanner_.at();
    scanner_.step();
    def.path = file_.source->text().substr(open + 1, scanner_.at() - open - 2);
    if (scanner_.peek() == ';') scanner_.step();
    file_.imports.push_back(std::move(def));
    return true;
  }

  void description(Offset offset, bool is_assumption) {
    Description def;
    def.offset = offset;
    def.is_assumption = is_assumption;
    def.routine = signature(scanner_, is_assumption ? "assume" : "verify");
    arms(def);
    if (scanner_.accept("modifies")) {
      def.has_modifies = true;
      def.modifies = modified_places();
    }
    end_of_line();
    file_.descriptions.push_back(std::move(def));
  }

  void arms(Description& def) {
    if (scanner_.word() != "when") {
      Arm& arm = def.arms.emplace_back();
      arm.offset = scanner_.offset();
      scanner_.expect(":", "or 'when' after the routine");
      arm.process = process();
      return;
    }
    while (scanner_.word() == "when" || scanner_.word() == "otherwise") {
      if (!def.arms.empty() && def.arms.back().is_otherwise) {
        scanner_.fail(scanner_.at(), "nothing can follow 'otherwise'");
      }
      Arm& arm = def.arms.emplace_back();
      arm.offset = scanner_.offset();
      if (scanner_.accept("when")) {
        arm.guard = condition();
      } else {
        scanner_.accept("otherwise");
        arm.is_otherwise = true;
      }
      scanner_.expect(":", "and a process after the guard");
      arm.process = process();
      if (def.arms.size() > kMaxArms) {
        scanner_.fail(arm.offset,
                      fmt::format("there are more than {} cases", kMaxArms));
      }
    }
  }

  CText condition() {
    if (scanner_.peek() != '(') scanner_.expected("a condition in parentheses");
    CText result = scanner_.bracketed();
    if (trimmed(result).text.empty()) {
      scanner_.fail(result.offset, "expected a condition");
    }
    scanner_.skip_space();
    return result;
  }

  ProcessText process() {
    ProcessText result;
    result.offset = scanner_.offset();
    if (scanner_.peek() == '(') {
      result.is_in_place = true;
      process_text();
      const std::size_t close = scanner_.at();
      scanner_.skip_space();
      if (scanner_.accept("+")) {
        if (scanner_.peek() != '{') scanner_.expected("a set of labels");
        process_text();
      } else {
        scanner_.go_to(close);
      }
      kept_.emplace_back(result.offset, scanner_.at());
    } else {
      if (!is_upper(scanner_.peek())) {
        scanner_.expected("the name of a process, or one in parentheses");
      }
      if (const auto word = scanner_.word(); word == "STOP" || word == "END") {
        scanner_.expected("a process with a name, as 'Nothing = STOP + {a}.'");
      }
      scanner_.take_word();
      if (scanner_.peek() == '(') scanner_.bracketed(Language::Fsp);
      const std::size_t end = scanner_.at();
      scanner_.skip_space();
      if (scanner_.rest().starts_with('+')) {
        scanner_.fail(scanner_.at(),
                      "labels are added to a process where it is defined, as "
                      "in 'P = (a -> P) + {b}.'");
      }
      scanner_.go_to(end);
    }
    result.text = file_.source->text().substr(result.offset,
                                              scanner_.at() - result.offset);
    scanner_.skip_space();
    return result;
  }

  std::vector<Modified> modified_places() {
    std::vector<Modified> result;
    do {
      Modified& item = result.emplace_back();
      item.place = trimmed(scanner_.until(",;", "';' at the end of the line"));
      if (item.place.text.empty()) scanner_.expected("what is modified");
      reject_cases(item.place);
      split_slice(item);
    } while (scanner_.accept(","));
    return result;
  }

  void reject_cases(const CText& place) {
    constexpr std::string_view kSpace = " \t\r\n";
    const std::string& text = place.text;
    for (const std::string_view word : {"otherwise", "when"}) {
      const std::size_t at = text.find(word);
      if (at == std::string::npos || at == 0) continue;
      const std::size_t next = text.find_first_not_of(kSpace, at + word.size());
      const bool is_case =
          kSpace.find(text[at - 1]) != std::string_view::npos &&
          next != std::string::npos && (text[next] == ':' || text[next] == '(');
      if (!is_case) continue;
      scanner_.fail(place.offset + at,
                    "'modifies' stands behind all cases, and holds for each");
    }
  }

  /// `a[lo..hi]` becomes `a`, `lo` and `hi`.
  void split_slice(Modified& item) {
    const std::string& text = item.place.text;
    if (text.back() != ']') return;
    const std::size_t dots = text.rfind("..");
    if (dots == std::string::npos) return;
    Scanner inside(*file_.source, item.place.offset);
    const std::size_t end = item.place.offset + text.size();
    std::size_t open = end;
    while (inside.at() < end) {
      if (inside.peek() == '[') open = inside.at();
      if (std::string_view("([{").find(inside.peek()) !=
          std::string_view::npos) {
        inside.bracketed();
      } else {
        inside.step();
      }
    }
    if (open >= item.place.offset + dots) return;
    const auto piece = [&](std::size_t from, std::size_t to) {
      return trimmed(
          {static_cast<Offset>(from),
           std::string(file_.source->text().substr(from, to - from))});
    };
    const std::size_t middle = item.place.offset + dots;
    item.low = piece(open + 1, middle);
    item.high = piece(middle + 2, end - 1);
    item.place = piece(item.place.offset, open);
    for (const CText* part : {&item.place, &*item.low, &*item.high}) {
      if (part->text.empty()) {
        scanner_.fail(part->offset, "a slice is written 'array[low..high]'");
      }
    }
  }

  void event(Offset offset) {
    EventDef def;
    def.offset = offset;
    def.label = label("the name of the event");
    scanner_.expect("=", "after the name of the event");
    if (scanner_.accept("return")) {
      def.on_return = true;
    } else if (!scanner_.accept("call")) {
      scanner_.expected("'call' or 'return'");
    }
    def.routine_offset = scanner_.offset();
    def.routine = scanner_.identifier("the name of a routine");
    if (scanner_.peek() == '(') def.parameters = parameter_names();
    if (scanner_.accept("when")) def.condition = condition();
    end_of_line();
    file_.events.push_back(std::move(def));
  }

  std::vector<std::string> parameter_names() {
    std::vector<std::string> result;
    scanner_.accept("(");
    if (scanner_.accept(")")) return result;
    do {
      result.push_back(scanner_.identifier("the name of a parameter"));
    } while (scanner_.accept(","));
    scanner_.expect(")", "after the names of the parameters");
    return result;
  }

  /// `a`, `a.b[1]`; FSP's way of writing it is a.b.1.
  std::string label(const std::string& what) {
    if (is_upper(scanner_.peek())) scanner_.expected(what + " in lower case");
    const Offset offset = scanner_.offset();
    std::string result = scanner_.identifier(what);
    for (;;) {
      result += '.';
      if (scanner_.accept(".")) {
        result += scanner_.identifier(
            "a part of the label, where numbers are written as '[0]'");
      } else if (scanner_.accept("[")) {
        if (scanner_.word().empty()) scanner_.expected("an index");
        result += scanner_.take_word();
        scanner_.skip_space();
        scanner_.expect("]", "after the index");
      } else {
        result.pop_back();
        break;
      }
    }
    if (result == "tau" || is_return_of_component("." + result)) {
      scanner_.fail(offset, fmt::format("'{}' cannot be defined", result));
    }
    return result;
  }

  // `verify program` starts a composition only if a name and '=' follow, since
  // `program` may be a type.
  bool program() {
    const std::size_t begin = scanner_.at();
    scanner_.accept("program");
    ProgramDef def;
    def.offset = scanner_.offset();
    if (scanner_.word().empty()) {
      scanner_.go_to(begin);
      return false;
    }
    def.name = scanner_.take_word();
    scanner_.skip_space();
    if (!scanner_.accept("=")) {
      scanner_.go_to(begin);
      return false;
    }
    components(def);
    if (scanner_.accept("when")) guards(def);
    scanner_.expect(":", "and the specification of the program");
    if (scanner_.accept("deadlock")) {
      scanner_.expect("-", "in 'deadlock-free'");
      scanner_.expect("free", "in 'deadlock-free'");
      def.deadlock_free = true;
    } else {
      def.process = process();
    }
    end_of_line();
    file_.programs.push_back(std::move(def));
    return true;
  }

  // Likewise only if ':' follows.
  bool module(Offset offset) {
    const std::size_t begin = scanner_.at();
    scanner_.accept("module");
    if (!scanner_.accept(":")) {
      scanner_.go_to(begin);
      return false;
    }
    file_.modules.push_back({offset, process()});
    end_of_line();
    return true;
  }

  void components(ProgramDef& def) {
    const bool is_grouped = scanner_.accept("(");
    do {
      def.components.push_back(component());
    } while (scanner_.accept("||"));
    if (is_grouped) {
      scanner_.expect(")", "after the components");
      def.relabels = relabels();
    } else {
      def.relabels = std::exchange(def.components.back().relabels, {});
    }
  }

  Component component() {
    Component result;
    result.offset = scanner_.offset();
    result.routine = scanner_.identifier("the name of a routine");
    if (scanner_.peek() == '[' || scanner_.peek() == '.') {
      scanner_.go_to(result.offset);
      result.label = label("the name of a component");
      scanner_.expect(":", "and a routine after the name of a component");
      result.routine = scanner_.identifier("the name of a routine");
    }
    // A ':' that is followed by a process is the end of the components.
    const std::size_t before = scanner_.at();
    if (result.label.empty() && scanner_.accept(":")) {
      if (is_process() || is_deadlock_free()) {
        scanner_.go_to(before);
      } else {
        result.label = std::exchange(
            result.routine, scanner_.identifier("the name of a routine"));
      }
    }
    result.relabels = relabels();
    return result;
  }

  /// A name in upper case may be a routine, too; then more of the components,
  /// or their guards, must follow.
  bool is_process() {
    if (!is_upper(scanner_.peek())) return scanner_.peek() == '(';
    const std::size_t begin = scanner_.at();
    scanner_.take_word();
    scanner_.skip_space();
    const bool is_routine =
        scanner_.word() == "when" ||
        (!scanner_.at_end() && std::string_view("|/:)").find(scanner_.peek()) !=
                                   std::string_view::npos);
    scanner_.go_to(begin);
    return !is_routine;
  }

  bool is_deadlock_free() {
    return scanner_.rest().starts_with("deadlock-free");
  }

  std::vector<Relabel> relabels() {
    std::vector<Relabel> result;
    if (!scanner_.accept("/")) return result;
    scanner_.expect("{", "before 'new/old' pairs");
    do {
      Relabel& pair = result.emplace_back();
      pair.new_label = label("a label");
      scanner_.expect("/", "between the new and the old label");
      pair.old_offset = scanner_.offset();
      pair.old_label = label("a label");
    } while (scanner_.accept(","));
    scanner_.expect("}", "after the 'new/old' pairs");
    return result;
  }

  void guards(ProgramDef& def) {
    const std::size_t open = scanner_.at();
    scanner_.expect("(", "and one condition per component");
    for (;;) {
      CText text = trimmed(scanner_.until(";)", "')' after the guards"));
      if (text.text.empty()) scanner_.expected("a condition");
      def.guards.push_back(std::move(text));
      if (scanner_.accept(")")) break;
      scanner_.expect(";", "between the guards");
    }
    if (def.guards.size() != def.components.size()) {
      scanner_.fail(open,
                    fmt::format("there are {} components, but {} guards",
                                def.components.size(), def.guards.size()));
    }
  }

  void end_of_line() {
    if (scanner_.peek() != ';') scanner_.expected("';' at the end of the line");
    scanner_.step();
  }

  // Takes a bracketed part of FSP and rewrites its returns.
  void process_text() {
    const std::size_t begin = scanner_.at();
    scanner_.bracketed(Language::Fsp);
    const std::size_t end = scanner_.at();
    scanner_.go_to(begin);
    while (scanner_.at() < end) {
      if (scanner_.word() == "return") {
        rewrite_return();
      } else {
        scanner_.step();
      }
    }
  }

  void rewrite_return() {
    const std::size_t begin = scanner_.at();
    scanner_.take_word();
    const std::size_t behind = scanner_.at();
    scanner_.skip_space();
    std::string name;
    if (scanner_.peek() == '{') {
      const CText text = trimmed(scanner_.bracketed());
      if (text.text.empty()) scanner_.fail(text.offset, "expected a condition");
      name = "return." + condition_name(text);
    } else if (is_any_result()) {
      name = kAnyReturn;
    } else if (scanner_.peek() == '.' && !scanner_.rest().starts_with("..")) {
      scanner_.fail(begin,
                    "a return is written 'return', 'return[value]', "
                    "'return[low..high]', 'return[_]' or 'return{condition}'");
    } else {
      scanner_.go_to(behind);
      return;
    }
    std::fill(file_.processes.begin() + static_cast<long>(begin),
              file_.processes.begin() + static_cast<long>(scanner_.at()), ' ');
    file_.processes.replace(begin, name.size(), name);
  }

  /// Takes `[_]` if it is here.
  bool is_any_result() {
    const std::size_t begin = scanner_.at();
    if (scanner_.accept("[") && scanner_.accept("_") &&
        scanner_.peek() == ']') {
      scanner_.step();
      return true;
    }
    scanner_.go_to(begin);
    return false;
  }

  /// Two letters: `return.ab` is as long as `return{x}` at least.
  std::string condition_name(const CText& text) {
    for (const auto& [name, known] : conditions_) {
      if (known.text == text.text) return name;
    }
    const std::size_t number = conditions_.size();
    if (number == kMaxConditions) {
      scanner_.fail(text.offset,
                    fmt::format("there are more than {} conditions on results",
                                kMaxConditions));
    }
    const std::string name{static_cast<char>('a' + number / 26),
                           static_cast<char>('a' + number % 26)};
    conditions_[name] = {text.text, file_.source, text.offset};
    return name;
  }

  void blank(std::size_t begin, std::size_t end) {
    std::string& text = file_.processes;
    std::size_t at = begin;
    const auto wipe = [&](std::size_t to) {
      for (; at < to; ++at) {
        if (text[at] != '\n') text[at] = ' ';
      }
    };
    for (const auto& [from, to] : kept_) {
      wipe(from);
      at = to;
    }
    wipe(end);
  }

  Scanner scanner_;
  WrittenConditions& conditions_;
  File file_;
  /// Processes in place of the current line, from and to.
  std::vector<std::pair<std::size_t, std::size_t>> kept_;
};

}  // namespace

File parse(std::shared_ptr<const support::Source> source,
           WrittenConditions& conditions) {
  return Parser(std::move(source), conditions).run();
}

}  // namespace agon::spec
