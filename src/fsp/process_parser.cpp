// SPDX-License-Identifier: Apache-2.0
#include "fsp/process_parser.h"

#include <fmt/format.h>

#include <utility>

namespace agon::fsp {

using Kind = TokenKind;

std::vector<LocalDef> ProcessParser::locals(const Token& name) {
  std::vector<LocalDef> result(1);
  result[0].offset = name.offset;
  result[0].name = name.text;
  result[0].body = local();
  while (accept(Kind::Comma)) {
    LocalDef& def = result.emplace_back();
    const Token local_name =
        expect(Kind::Upper, "the name of a local process after ','");
    check_not_predefined(local_name);
    def.offset = local_name.offset;
    def.name = local_name.text;
    if (at(Kind::OpenSquare)) def.indices = ranges().parts;
    expect(Kind::Equal, "'=' after the name of a local process");
    def.body = local();
  }
  return result;
}

void ProcessParser::check_not_predefined(const Token& name) const {
  if (name.text == "STOP" || name.text == "END" || name.text == "ERROR") {
    fail(name.offset,
         fmt::format("the process '{}' is predefined and cannot be defined",
                     name.text));
  }
}

Local ProcessParser::local() {
  const Nesting nesting(*this);
  if (at(Kind::Open)) return choice();
  if (at(Kind::If)) return conditional();
  if (at(Kind::Upper)) return sequence();
  expected("a process: '(', 'if' or a name");
}

Local ProcessParser::conditional() {
  Local result;
  result.kind = Local::Kind::If;
  result.offset = take().offset;
  result.condition.push_back(expression());
  expect(Kind::Then, "'then'");
  result.alternatives.push_back(local());
  if (accept(Kind::Else)) result.alternatives.push_back(local());
  return result;
}

Local ProcessParser::choice() {
  Local result;
  result.offset = take().offset;
  do {
    result.branches.push_back(branch());
  } while (accept(Kind::Bar));
  expect(Kind::Close, "'|' or ')' after a branch of a choice");
  return result;
}

Branch ProcessParser::branch() {
  Branch result;
  if (accept(Kind::When)) result.guard.push_back(expression());
  do {
    result.prefixes.push_back(labels());
    expect(Kind::Arrow, "'->' after an action");
  } while (starts_labels());
  if (at(Kind::When)) {
    fail(peek().offset,
         "only the first action of a branch can be guarded; put the rest in "
         "parentheses");
  }
  result.rest = local();
  return result;
}

Local ProcessParser::sequence() {
  Local result;
  result.kind = Local::Kind::Sequence;
  result.offset = peek().offset;
  while (peek(1).kind == Kind::Semicolon || peek(1).kind == Kind::Open) {
    result.before.push_back(reference());
    expect(Kind::Semicolon, "';' after a process that is put in sequence");
    if (!at(Kind::Upper)) expected("the name of a process after ';'");
  }
  result.offset = peek().offset;
  result.name = take().text;
  while (accept(Kind::OpenSquare)) {
    result.indices.push_back(expression());
    expect(Kind::CloseSquare, "']' after an index");
  }
  return result;
}

ProcRef ProcessParser::reference() {
  ProcRef result;
  const Token name = expect(Kind::Upper, "the name of a process");
  result.offset = name.offset;
  result.name = name.text;
  if (accept(Kind::Open)) {
    result.arguments = arguments();
    expect(Kind::Close, "',' or ')' after an argument");
  }
  return result;
}

std::vector<Expr> ProcessParser::arguments() {
  std::vector<Expr> result;
  do {
    result.push_back(expression());
  } while (accept(Kind::Comma));
  return result;
}

Comp ProcessParser::component() {
  const Nesting nesting(*this);
  if (at(Kind::If)) return conditional_component();
  if (!at(Kind::Forall)) return plain_component();
  Comp result;
  result.kind = Comp::Kind::Forall;
  result.offset = take().offset;
  if (!at(Kind::OpenSquare)) expected("a range in brackets after 'forall'");
  result.ranges = ranges();
  result.members.push_back(component());
  return result;
}

Comp ProcessParser::conditional_component() {
  Comp result;
  result.kind = Comp::Kind::If;
  result.offset = take().offset;
  result.condition.push_back(expression());
  expect(Kind::Then, "'then'");
  result.members.push_back(component());
  if (accept(Kind::Else)) result.members.push_back(component());
  return result;
}

Comp ProcessParser::plain_component() {
  Comp result;
  result.offset = peek().offset;
  if (starts_labels()) {
    result.prefix = labels();
    if (accept(Kind::ColonColon)) {
      result.sharing = std::exchange(result.prefix, std::nullopt);
      if (starts_labels()) {
        result.prefix = labels();
        expect(Kind::Colon, "':' after the label of a process");
      }
    } else {
      expect(Kind::Colon, "':' or '::' after the label of a process");
    }
  }
  if (accept(Kind::Open)) {
    if (!at(Kind::Close)) {
      do {
        result.members.push_back(component());
      } while (accept(Kind::BarBar));
    }
    expect(Kind::Close, "'||' or ')' in a composition");
  } else {
    result.kind = Comp::Kind::Reference;
    result.reference = reference();
  }
  result.relabels = relabels();
  return result;
}

std::vector<RelabelDef> ProcessParser::relabels() {
  if (!accept(Kind::Slash)) return {};
  return relabel_list();
}

std::vector<RelabelDef> ProcessParser::relabel_list() {
  const Nesting nesting(*this);
  std::vector<RelabelDef> result;
  expect(Kind::OpenBrace, "'{' before 'new/old' pairs");
  do {
    result.push_back(relabel());
  } while (accept(Kind::Comma));
  expect(Kind::CloseBrace, "',' or '}' after a 'new/old' pair");
  return result;
}

RelabelDef ProcessParser::relabel() {
  RelabelDef result;
  result.offset = peek().offset;
  if (accept(Kind::Forall)) {
    if (!at(Kind::OpenSquare)) expected("a range in brackets after 'forall'");
    result.ranges = ranges();
    result.members = relabel_list();
    return result;
  }
  result.pair.push_back(labels());
  expect(Kind::Slash, "'/' between the new and the old label");
  result.pair.push_back(labels());
  return result;
}

std::optional<Hiding> ProcessParser::hiding() {
  if (!at(Kind::Backslash) && !at(Kind::At)) return std::nullopt;
  Hiding result;
  result.keep = take().kind == Kind::At;
  result.set = set();
  return result;
}

std::optional<PriorityDef> ProcessParser::priority() {
  if (!at(Kind::Less2) && !at(Kind::Greater2)) return std::nullopt;
  PriorityDef result;
  result.high = take().kind == Kind::Less2;
  result.set = set();
  return result;
}

}  // namespace agon::fsp
