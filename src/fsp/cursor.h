// SPDX-License-Identifier: Apache-2.0
/// A position in a list of tokens: what every parser of FSP is based on.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fsp/token.h"
#include "support/source.h"

namespace agon::fsp {

class Cursor {
 public:
  /// How deep parentheses, conditions and the like may be nested.
  static constexpr int kMaxDepth = 500;

  /// `source` has to outlive the cursor.
  explicit Cursor(const support::Source& source);

 protected:
  /// Guards one level of recursion; fails if there are too many.
  class Nesting {
   public:
    explicit Nesting(Cursor& cursor);
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    ~Nesting() { --cursor_.depth_; }

   private:
    Cursor& cursor_;
  };

  const Token& peek(std::size_t ahead = 0) const;
  bool at(TokenKind kind) const { return peek().kind == kind; }
  /// Returns the current token and steps behind it.
  Token take();
  /// Steps over the current token if it is of that kind.
  bool accept(TokenKind kind);
  /// Takes a token of that kind or fails: "expected <what>".
  Token expect(TokenKind kind, const std::string& what);
  [[noreturn]] void expected(const std::string& what) const;
  [[noreturn]] void fail(std::size_t offset, const std::string& message) const {
    source_.fail(offset, message);
  }
  const support::Source& source() const { return source_; }

 private:
  const support::Source& source_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace agon::fsp
