// SPDX-License-Identifier: Apache-2.0
#include "support/big_stack.h"

#include <pthread.h>

#include <exception>

#include "support/error.h"

namespace agon::support {
namespace {

struct Task {
  const std::function<void()>* work;
  std::exception_ptr failure;
};

void* run(void* argument) {
  Task& task = *static_cast<Task*>(argument);
  try {
    (*task.work)();
  } catch (...) {
    task.failure = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void run_with_stack(std::size_t bytes, const std::function<void()>& work) {
  Task task{&work, nullptr};
  pthread_attr_t attributes;
  AGON_ASSERT(pthread_attr_init(&attributes) == 0);
  AGON_ASSERT(pthread_attr_setstacksize(&attributes, bytes) == 0);
  pthread_t thread;
  const int failed = pthread_create(&thread, &attributes, run, &task);
  pthread_attr_destroy(&attributes);
  if (failed != 0) {
    work();  // No room for such a thread: the ordinary stack has to do.
    return;
  }
  AGON_ASSERT(pthread_join(thread, nullptr) == 0);
  if (task.failure != nullptr) std::rethrow_exception(task.failure);
}

}  // namespace agon::support
