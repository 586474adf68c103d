// SPDX-License-Identifier: Apache-2.0
#include "analysis/regions_names.h"

#include <algorithm>
#include <optional>
#include <set>

namespace agon::analysis {
namespace {

/// `node` for `struct node`.
std::string short_name(const std::string& type) {
  const auto space = type.find_last_of(' ');
  return space == type.npos ? type : type.substr(space + 1);
}

std::string field_name(const ir::Program& program, const PointsTo& points_to,
                       std::uint32_t cell) {
  const SiteId site = points_to.site_of_cell(cell);
  const Layout& layout = points_to.layout(site);
  const auto [record, path] =
      layout.record_path(cell - points_to[site].first_cell);
  if (!record.valid()) return {};
  return short_name(program.types[record].name) + path;
}

std::string own_name(const PointsTo& points_to, std::uint32_t cell) {
  const SiteId site = points_to.site_of_cell(cell);
  return points_to[site].name +
         points_to.layout(site).path(cell - points_to[site].first_cell);
}

bool is_padding(const std::string& name) {
  return name.find('(') != std::string::npos;
}

}  // namespace

std::string region_name(const ir::Program& program, const PointsTo& points_to,
                        const Region& region) {
  constexpr std::size_t kMostNames = 2;
  const SiteId first = points_to.site_of_cell(region.cells.front());
  const bool is_one_object =
      points_to[first].kind == SiteKind::Object &&
      points_to.site_of_cell(region.cells.back()) == first;
  std::set<std::string> names;
  for (const std::uint32_t cell : region.cells) {
    std::string name =
        is_one_object ? std::string() : field_name(program, points_to, cell);
    if (name.empty()) name = own_name(points_to, cell);
    if (!is_padding(name)) names.insert(std::move(name));
    if (names.size() > kMostNames)
      return is_one_object ? points_to[first].name : "bytes";
  }
  if (names.empty()) return "bytes";
  std::string result = *names.begin();
  if (names.size() > 1) result += "&" + *names.rbegin();
  return result == "ext" ? "bytes" : result;
}

}  // namespace agon::analysis
