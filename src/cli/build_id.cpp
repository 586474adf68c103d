// SPDX-License-Identifier: Apache-2.0
#include "cli/build_id.h"

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace agon::cli {
namespace {

std::size_t padded(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

/// The build id among notes of the linker; empty if there is none.
std::string find_build_id(const char* at, std::size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const std::size_t name = sizeof note;
    const std::size_t content = name + padded(note.n_namesz);
    const std::size_t end = content + padded(note.n_descsz);
    if (end > size) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::memcmp(at + name, "GNU", 4) == 0) {
      return {at + content, note.n_descsz};
    }
    at += end;
    size -= end;
  }
  return "";
}

/// The first object is the program itself.
int visit(dl_phdr_info* info, std::size_t /*size*/, void* result) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    // Where the loader has put the notes, as a pointer.
    const char* start = nullptr;
    const std::uintptr_t address = info->dlpi_addr + header.p_vaddr;
    std::memcpy(&start, &address, sizeof start);
    std::string found = find_build_id(start, header.p_memsz);
    if (!found.empty()) *static_cast<std::string*>(result) = std::move(found);
  }
  return 1;
}

}  // namespace

const std::string& build_id() {
  static const std::string id = [] {
    std::string result;
    ::dl_iterate_phdr(visit, &result);
    return result;
  }();
  return id;
}

}  // namespace agon::cli
