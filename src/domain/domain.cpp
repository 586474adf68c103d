// SPDX-License-Identifier: Apache-2.0
#include "domain/domain.h"

#include <fmt/format.h>

#include <algorithm>

#include "domain/product.h"
#include "domain/registry.h"
#include "support/error.h"

namespace agon::domain {
namespace {

std::unique_ptr<Domain> make_one(std::string_view name,
                                 const Setting& setting) {
  const auto found = std::ranges::find(registry(), name, &Registered::name);
  if (found != registry().end()) return found->make(setting);
  throw support::InputError(
      fmt::format("there is no domain '{}'; there are: {}", name,
                  fmt::join(names(), ", ")));
}

}  // namespace

std::optional<Value> Domain::restrict(const Value& value,
                                      term::Term condition) {
  const std::vector<Value> found = filter(value, condition);
  if (found.empty()) return std::nullopt;
  Value result = found.front();
  for (const Value& each : found) result = join(result, each);
  return result;
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const Registered& each : registry()) result.emplace_back(each.name);
  return result;
}

std::unique_ptr<Domain> make(const std::string& name, const Setting& setting) {
  std::vector<std::unique_ptr<Domain>> parts;
  std::string_view rest = name;
  for (;;) {
    const std::size_t end = rest.find('+');
    parts.push_back(make_one(rest.substr(0, end), setting));
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (parts.size() == 1) return std::move(parts.front());
  return make_product(std::move(parts), *setting.program.pool);
}

}  // namespace agon::domain
