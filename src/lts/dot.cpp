// SPDX-License-Identifier: Apache-2.0
#include "lts/dot.h"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <string_view>

namespace agon::lts {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string_view style_of(StateKind kind) {
  switch (kind) {
    case StateKind::Terminated:
      return ", shape=doublecircle, tooltip=\"END\"";
    case StateKind::Error:
      return ", color=\"#c0392b\", fontcolor=\"#c0392b\", label=\"ERROR\"";
    case StateKind::Ordinary:
      return "";
  }
  return "";
}

}  // namespace

std::string write_dot(const Lts& lts) {
  std::string text =
      "digraph lts {\n"
      "  rankdir=LR;\n"
      "  node [shape=circle, fontname=\"Helvetica\", fontsize=11];\n"
      "  edge [fontname=\"Helvetica\", fontsize=10, color=\"#555555\"];\n"
      "  start [shape=point, label=\"\"];\n";
  auto out = std::back_inserter(text);
  fmt::format_to(out, "  start -> {};\n", lts.initial().value());
  for (std::size_t i = 0; i < lts.num_states(); ++i) {
    fmt::format_to(out, "  {} [label=\"{}\"{}];\n", i, i,
                   style_of(lts.kind(State::at(i))));
  }
  for (std::size_t i = 0; i < lts.num_states(); ++i) {
    std::map<std::pair<State, bool>, std::string> arrows;  // target, silent
    for (const Transition& t : lts.out(State::at(i))) {
      std::string& names = arrows[{t.target, t.label == kTau}];
      if (!names.empty()) names += "\\n";
      names += escaped(lts.labels()->name(t.label));
    }
    for (const auto& [arrow, names] : arrows) {
      fmt::format_to(out, "  {} -> {} [label=\"{}\"{}];\n", i,
                     arrow.first.value(), names,
                     arrow.second ? ", style=dashed" : "");
    }
  }
  return text + "}\n";
}

}  // namespace agon::lts
