// Interruptible: long work without the GIL that Ctrl-C leaves at once.
// In: a function that touches no Python object. Out: its result; KeyboardInterrupt where Python's signal handler says
// so.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <functional>
#include <memory>

namespace salvo::python {

/// Set when nobody waits for the work any more: what can stop early should.
using Stop = std::atomic<bool>;

/// Runs `work` without the GIL and waits for it. Only the main thread of Python hears signals: there the work is done
/// by a thread beside, so that the main thread can listen, and on Ctrl-C the work is left to end by itself. So `work`
/// must own all that it uses. What it throws comes out.
void run_interruptibly(std::function<void(const Stop&)> work);

/// Remembers which thread is Python's main thread.
void remember_main_thread();

}  // namespace salvo::python
