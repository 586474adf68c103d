// SPDX-License-Identifier: Apache-2.0
#include "evidence/certificate.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <zlib.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "evidence/json_guard.h"
#include "support/error.h"
#include "support/source.h"

namespace agon::evidence {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLargestPlain = std::size_t{1} << 20;
constexpr std::size_t kLargestText = std::size_t{1} << 28;
constexpr std::size_t kMostValues = 20'000'000;
constexpr int kDeepest = 12;
constexpr int kLongestMessage = 200;
constexpr int kGzip = 15 + 16;  // The largest window, with gzip's header.

std::string compress(const std::string& text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, 9,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  std::string result(deflateBound(&stream, text.size()), '\0');
  // zlib does not change its input, but does not say so.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  const int end = deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  AGON_ASSERT(end == Z_STREAM_END);
  return result;
}

std::string decompress(const support::Source& source) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzip) != Z_OK) throw std::bad_alloc();
  const std::string_view packed = source.text();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string result;
  std::array<char, 1 << 16> buffer{};
  int state = Z_OK;
  // What does not start as it should is not worth unpacking.
  while (state == Z_OK && result.size() <= kLargestText &&
         (result.empty() || result.front() == '{')) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    state = inflate(&stream, Z_NO_FLUSH);
    result.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END || stream.avail_in != 0) {
    throw support::InputError(fmt::format(
        "'{}' is compressed and damaged, or too large", source.name()));
  }
  return result;
}

Json to_json(const CertifiedComponent& component) {
  Json predicates = Json::array();
  for (const CertifiedPredicate& p : component.predicates) {
    predicates.push_back(
        {{"text", p.text}, {"negation", p.negation}, {"exact", p.exact}});
  }
  Json states = Json::array();
  for (const CertifiedState& s : component.states) {
    states.push_back({{"location", s.location},
                      {"place", s.place},
                      {"holds", s.holds},
                      {"literals", s.literals}});
  }
  Json steps = Json::array();
  for (const CertifiedStep& s : component.steps) {
    steps.push_back(Json::array({s.from, s.label, s.to}));
  }
  return {{"name", component.name},      {"program", component.program},
          {"rounds", component.rounds},  {"predicates", std::move(predicates)},
          {"states", std::move(states)}, {"steps", std::move(steps)}};
}

Json to_json(const Proof& proof) {
  Json assumptions = Json::array();
  for (const auto& [subject, why] : proof.assumptions) {
    assumptions.push_back({{"subject", subject}, {"why", why}});
  }
  Json components = Json::array();
  for (const CertifiedComponent& component : proof.components) {
    components.push_back(to_json(component));
  }
  Json pairs = Json::array();
  for (const CertifiedPair& pair : proof.pairs) {
    pairs.push_back(Json::array({pair.states, pair.spec}));
  }
  return {{"target", proof.target},
          {"arm", proof.arm},
          {"spec", proof.spec},
          {"guard", proof.guard},
          {"errors", proof.errors},
          {"library", proof.has_library},
          {"specification_states", proof.spec_states},
          {"assumptions", std::move(assumptions)},
          {"components", std::move(components)},
          {"relation", std::move(pairs)}};
}

Json to_json(const std::vector<CertifiedFile>& files) {
  Json result = Json::array();
  for (const CertifiedFile& file : files) {
    result.push_back({{"file", file.name}, {"sha256", file.sha256}});
  }
  return result;
}

/// A value of a certificate that is read, with the way to it for messages.
class Reader {
 public:
  Reader(const Json& json, std::string path)
      : json_(json), path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw support::InputError(fmt::format("{}: {}", path_, what));
  }

  bool has(const char* key) const {
    return json_.is_object() && json_.contains(key);
  }
  Reader at(const char* key) const {
    if (!has(key)) {
      fail(fmt::format("'{}' is missing", key));
    }
    return {json_[key], fmt::format("{}: {}", path_, key)};
  }
  /// The keys of an object must be these.
  void expect_keys(const std::set<std::string>& keys) const {
    if (!json_.is_object()) fail("expected an object");
    for (const auto& [key, value] : json_.items()) {
      if (!keys.contains(key)) fail(fmt::format("'{}' is not known", key));
    }
  }

  std::string string() const {
    if (!json_.is_string()) fail("expected a text");
    return json_.get<std::string>();
  }
  bool boolean() const {
    if (!json_.is_boolean()) fail("expected true or false");
    return json_.get<bool>();
  }
  std::uint32_t number() const {
    if (!json_.is_number_unsigned() ||
        json_.get<std::uint64_t>() > 0xffff'ffff) {
      fail("expected a number of at most 32 bits");
    }
    return json_.get<std::uint32_t>();
  }
  std::int64_t literal(std::size_t predicates) const {
    const auto most = static_cast<std::int64_t>(predicates);
    const bool is_small =
        json_.is_number_integer() && (!json_.is_number_unsigned() ||
                                      json_.get<std::uint64_t>() <= predicates);
    const std::int64_t value = is_small ? json_.get<std::int64_t>() : 0;
    if (value == 0 || value > most || value < -most) {
      fail("expected the number of a predicate");
    }
    return value;
  }
  std::uint32_t below(std::size_t bound) const {
    const std::uint32_t value = number();
    if (value >= bound) fail(fmt::format("there is no number {}", value));
    return value;
  }

  template <class Read>
  auto list(const Read& read) const {
    if (!json_.is_array()) fail("expected a list");
    std::vector<decltype(read(*this))> result;
    result.reserve(json_.size());
    for (const Json& element : json_) result.push_back(read({element, path_}));
    return result;
  }
  /// The parts of a list of fixed length.
  std::vector<Reader> parts(std::size_t count) const {
    if (!json_.is_array() || json_.size() != count) {
      fail(fmt::format("expected a list of {}", count));
    }
    return list([](const Reader& part) { return part; });
  }

 private:
  const Json& json_;
  std::string path_;
};

std::vector<std::string> read_strings(const Reader& reader) {
  return reader.list([](const Reader& part) { return part.string(); });
}

CertifiedComponent read_component(const Reader& reader) {
  reader.expect_keys(
      {"name", "program", "rounds", "predicates", "states", "steps"});
  CertifiedComponent result;
  result.name = reader.at("name").string();
  result.program = reader.at("program").string();
  if (reader.has("rounds")) result.rounds = reader.at("rounds").number();
  result.predicates = reader.at("predicates").list([](const Reader& part) {
    part.expect_keys({"text", "negation", "exact"});
    return CertifiedPredicate{part.at("exact").string(),
                              part.at("text").string(),
                              part.at("negation").string()};
  });
  result.states = reader.at("states").list([&](const Reader& part) {
    part.expect_keys({"location", "place", "holds", "literals"});
    CertifiedState state;
    state.location = part.at("location").number();
    state.place = part.at("place").string();
    state.literals = part.at("literals").list([&](const Reader& literal) {
      return literal.literal(result.predicates.size());
    });
    state.holds = read_strings(part.at("holds"));
    return state;
  });
  if (result.states.empty()) reader.fail("there is no state");
  result.steps = reader.at("steps").list([&](const Reader& part) {
    const auto parts = part.parts(3);
    return CertifiedStep{parts[0].below(result.states.size()),
                         parts[1].string(),
                         parts[2].below(result.states.size())};
  });
  return result;
}

CertifiedPair read_pair(const Reader& reader, const Proof& proof) {
  const auto parts = reader.parts(2);
  CertifiedPair pair;
  const auto states = parts[0].parts(proof.components.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    pair.states.push_back(states[i].below(proof.components[i].states.size()));
  }
  pair.spec = parts[1].list(
      [&](const Reader& part) { return part.below(proof.spec_states); });
  return pair;
}

Proof read_proof(const Reader& reader) {
  reader.expect_keys({"target", "arm", "spec", "guard", "errors", "library",
                      "specification_states", "assumptions", "components",
                      "relation"});
  Proof proof;
  proof.target = reader.at("target").string();
  proof.arm = reader.at("arm").number();
  proof.spec = reader.at("spec").string();
  proof.guard = reader.at("guard").string();
  proof.errors = read_strings(reader.at("errors"));
  proof.has_library = reader.at("library").boolean();
  proof.spec_states = reader.at("specification_states").number();
  proof.assumptions = reader.at("assumptions").list([](const Reader& part) {
    part.expect_keys({"subject", "why"});
    return std::pair(part.at("subject").string(), part.at("why").string());
  });
  proof.components = reader.at("components").list(read_component);
  proof.pairs = reader.at("relation").list([&](const Reader& part) {
    return read_pair(part, proof);
  });
  return proof;
}

std::vector<CertifiedFile> read_files(const Reader& reader) {
  return reader.list([](const Reader& part) {
    part.expect_keys({"file", "sha256"});
    return CertifiedFile{part.at("file").string(), part.at("sha256").string()};
  });
}

Json parse(const std::string& name, std::string_view text) {
  if (text.size() > kLargestText) {
    throw support::InputError(fmt::format("'{}' is too large", name));
  }
  if (text.find('\0') != std::string_view::npos) {
    throw support::InputError(fmt::format("'{}' is no text", name));
  }
  try {
    JsonGuard guard(name, kDeepest, kMostValues);
    return Json::parse(text,
                       [&](int depth, Json::parse_event_t event, Json& parsed) {
                         return guard.see(depth, event, parsed);
                       });
  } catch (const Json::exception& error) {
    throw support::InputError(fmt::format("'{}' is no certificate: {:.{}}",
                                          name, error.what(), kLongestMessage));
  }
}

}  // namespace

std::string write(const Certificate& certificate) {
  Json proofs = Json::array();
  for (const Proof& proof : certificate.proofs) {
    proofs.push_back(to_json(proof));
  }
  const Json json = {
      {"agon_certificate", Certificate::kVersion},
      {"agon", certificate.agon},
      {"command", certificate.command},
      {"data_model", certificate.data_model},
      {"overflow", certificate.overflow_is_error ? "error" : "wrap"},
      {"volatile", certificate.volatile_is_input ? "any" : "memory"},
      {"malloc_may_fail", certificate.malloc_may_fail},
      {"integers", "machine"},
      {"sources", to_json(certificate.sources)},
      {"spec", to_json(certificate.spec)},
      {"proofs", std::move(proofs)}};
  std::string text =
      json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  return text.size() > kLargestPlain ? compress(text) : text;
}

Certificate read_certificate(const support::Source& source) {
  const bool is_compressed = source.text().starts_with("\x1f\x8b");
  const std::string unpacked =
      is_compressed ? decompress(source) : std::string();
  const Json json =
      parse(source.name(), is_compressed ? unpacked : source.text());
  const Reader reader(json, source.name());
  if (reader.at("agon_certificate").number() != Certificate::kVersion) {
    reader.fail("this version of certificates is not known");
  }
  reader.expect_keys({"agon_certificate", "agon", "command", "data_model",
                      "overflow", "volatile", "malloc_may_fail", "integers",
                      "sources", "spec", "proofs"});
  Certificate result;
  result.agon = reader.at("agon").string();
  result.command = reader.at("command").string();
  result.data_model = reader.at("data_model").string();
  const std::string overflow = reader.at("overflow").string();
  if (overflow != "error" && overflow != "wrap") {
    reader.fail("overflow is 'wrap' or 'error'");
  }
  result.overflow_is_error = overflow == "error";
  const std::string read = reader.at("volatile").string();
  if (read != "any" && read != "memory") {
    reader.fail("volatile is 'memory' or 'any'");
  }
  result.volatile_is_input = read == "any";
  result.malloc_may_fail = reader.at("malloc_may_fail").boolean();
  if (reader.at("integers").string() != "machine") {
    reader.fail("only machine integers can be certified");
  }
  result.sources = read_files(reader.at("sources"));
  result.spec = read_files(reader.at("spec"));
  result.proofs = reader.at("proofs").list(read_proof);
  return result;
}

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  const int done = EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size,
                              EVP_sha256(), nullptr);
  AGON_ASSERT(done == 1);
  std::string result;
  for (unsigned i = 0; i < size; ++i)
    result += fmt::format("{:02x}", digest[i]);
  return result;
}

std::optional<std::string> difference(
    const std::vector<std::string>& paths,
    const std::vector<CertifiedFile>& certified) {
  if (paths.size() != certified.size()) {
    return fmt::format("it is about {} files, and {} are given",
                       certified.size(), paths.size());
  }
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const support::Source source = support::Source::open(paths[i]);
    if (sha256(source.text()) != certified[i].sha256) {
      return fmt::format("'{}' is not the file that it is about", paths[i]);
    }
  }
  return std::nullopt;
}

}  // namespace agon::evidence
