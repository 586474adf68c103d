// SPDX-License-Identifier: Apache-2.0
#include "cli/html.h"

#include <filesystem>
#include <system_error>
#include <vector>

#include "cli/output.h"
#include "report/html.h"
#include "support/error.h"
#include "support/source.h"

namespace agon::cli {
namespace {

constexpr std::size_t kMostText = 3'000'000;  // Of all files, in bytes.

}  // namespace

void write_html(const std::string& path, const Session& session) {
  std::vector<report::SourceText> sources;
  std::size_t left = kMostText;
  for (const std::string& name :
       report::mentioned_files(session.report, session.files)) {
    if (left == 0) break;
    std::error_code error;
    if (!std::filesystem::is_regular_file(name, error)) continue;
    try {
      const support::Source source = support::Source::open(name);
      std::string text(source.text().substr(0, left));
      left -= text.size();
      const bool is_cut = text.size() < source.text().size();
      sources.push_back({name, std::move(text), is_cut});
    } catch (const support::InputError&) {
      continue;
    }
  }
  write_file(path, report::to_html(session.report, sources));
}

}  // namespace agon::cli
