// Runs long work without the GIL, so that Ctrl-C interrupts it at once.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <functional>
#include <memory>

namespace salvo::python {

/// Set when the result is no longer needed; the work should stop early if it can.
using Stop = std::atomic<bool>;

/// Runs `work`, which must not touch Python objects, without the GIL and waits for it. Rethrows its exceptions. Only
/// Python's main thread receives signals; there a second thread does the work while the main thread checks for signals.
/// After Ctrl-C this raises KeyboardInterrupt and the work ends in the background, so `work` must own everything that
/// it uses.
void run_interruptibly(std::function<void(const Stop&)> work);

/// Remembers which thread is Python's main thread.
void remember_main_thread();

}  // namespace salvo::python
