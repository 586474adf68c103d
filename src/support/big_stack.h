// SPDX-License-Identifier: Apache-2.0
/// Deep recursion over what a user wrote must not end in a crash.
#pragma once

#include <cstddef>
#include <functional>

namespace agon::support {

/// Runs `work` on a thread with a stack of that many bytes and waits for it.
/// Exceptions come back to the caller. Memory is used only as far as the stack
/// really grows.
void run_with_stack(std::size_t bytes, const std::function<void()>& work);

}  // namespace agon::support
