// SPDX-License-Identifier: Apache-2.0
#include "fsp/cursor.h"

#include <fmt/format.h>

#include <algorithm>

#include "fsp/lexer.h"

namespace agon::fsp {
namespace {

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::End:
      return "the end of the file";
    case TokenKind::Upper:
    case TokenKind::Lower:
      return fmt::format("the name '{}'", token.text);
    case TokenKind::Number:
      return fmt::format("the number {}", token.text);
    case TokenKind::String:
      return "a string";
    default:
      return fmt::format("'{}'", token.text);
  }
}

}  // namespace

Cursor::Cursor(const support::Source& source)
    : source_(source), tokens_(tokenise(source)) {}

Cursor::Nesting::Nesting(Cursor& cursor) : cursor_(cursor) {
  if (++cursor_.depth_ > kMaxDepth) {
    cursor_.fail(cursor_.peek().offset,
                 fmt::format("this is nested more than {} levels deep",
                             Cursor::kMaxDepth));
  }
}

const Token& Cursor::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

Token Cursor::take() {
  const Token token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool Cursor::accept(TokenKind kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

Token Cursor::expect(TokenKind kind, const std::string& what) {
  if (!at(kind)) expected(what);
  return take();
}

void Cursor::expected(const std::string& what) const {
  fail(peek().offset,
       fmt::format("expected {}, but found {}", what, describe(peek())));
}

}  // namespace agon::fsp
