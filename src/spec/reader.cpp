// SPDX-License-Identifier: Apache-2.0
#include "spec/reader.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "spec/parser.h"
#include "spec/standard.h"

namespace agon::spec {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxImports = 100;

std::string key(const std::string& path) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(path, error);
  return error ? path : canonical.string();
}

}  // namespace

void Reader::read(const support::Source& source, bool is_imported) {
  seen_.insert(key(source.name()));
  File file = parse(std::make_shared<support::Source>(source), conditions);
  file.is_imported = is_imported;
  for (const ImportDef& def : file.imports) import(file, def);
  files.push_back(std::move(file));
}

void Reader::import(const File& from, const ImportDef& def) {
  if (!options_.allow_import) {
    from.source->fail(def.offset, "'import' is not allowed here");
  }
  if (seen_.size() > kMaxImports) {
    from.source->fail(def.offset, fmt::format("more than {} files are imported",
                                              kMaxImports));
  }
  fs::path path(def.path);
  if (path.is_relative()) {
    path = fs::path(from.source->name()).parent_path() / path;
  }
  std::error_code error;
  const bool is_bundled = def.path == kStandardName && !fs::exists(path, error);
  const std::string name =
      is_bundled ? std::string(kStandardSource) : path.string();
  if (seen_.contains(key(name))) return;
  if (is_bundled) {
    read(support::Source::from_string(name, std::string(standard_text())),
         true);
    return;
  }
  const auto opened = [&] {
    try {
      return support::Source::open(name);
    } catch (const support::InputError& problem) {
      from.source->fail(def.offset, problem.message());
    }
  }();
  read(opened, true);
}

}  // namespace agon::spec
