// SPDX-License-Identifier: Apache-2.0
/// What a question about C was asked of, so that it can be asked again.
#pragma once

#include <string>
#include <vector>

namespace agon::evidence {

struct Inputs {
  struct File {
    std::string name;
    std::string sha256;  ///< Of its contents.
  };
  std::vector<File> files;             ///< C.
  File spec;                           ///< Or a property file; no name: none.
  std::vector<std::string> arguments;  ///< For the compiler.
  std::string build_directory;
  std::string data_model;  ///< Empty if the user did not say.
  bool overflow_is_error = false;
  bool volatile_is_input = false;
  bool malloc_may_fail = false;
  std::string entry;             ///< Where execution starts.
  std::vector<std::string> api;  ///< Of a module.
  bool callbacks = false;
};

}  // namespace agon::evidence
