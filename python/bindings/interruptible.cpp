#include "interruptible.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace py = pybind11;

namespace salvo::python {
namespace {

constexpr std::chrono::milliseconds kListen{20};  ///< between checks for signals

unsigned long main_thread = 0;

/// A function to run, and its outcome.
struct Job {
  std::function<void(const Stop&)> work;
  Stop stop{false};
  bool done = false;
  std::exception_ptr error;
};

/// A thread that waits for jobs. Giving it one takes about ten microseconds; starting a thread takes several times
/// that.
class Worker {
 public:
  Worker() : process_(::getpid()) {
    std::thread([this] { live(); }).detach();
  }

  /// False in a child of fork(), which lacks the thread, and while an abandoned job still runs.
  bool is_free() {
    if (process_ != ::getpid()) return false;
    const std::lock_guard lock(mutex_);
    return job_ == nullptr;
  }

  void begin(const std::shared_ptr<Job>& job) {
    {
      const std::lock_guard lock(mutex_);
      job_ = job;
    }
    wake_.notify_one();
  }

  bool wait(const Job& job) {
    std::unique_lock lock(mutex_);
    return done_.wait_for(lock, kListen, [&] { return job.done; });
  }

 private:
  void live() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return job_ != nullptr; });
      const std::shared_ptr<Job> job = job_;
      lock.unlock();
      try {
        job->work(job->stop);
      } catch (...) {
        job->error = std::current_exception();
      }
      job->work = nullptr;  // destroy what it owns before the waiting thread continues
      lock.lock();
      job->done = true;
      job_ = nullptr;
      done_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::shared_ptr<Job> job_;
  pid_t process_;
};

/// The worker of the main thread. Never destroyed, because its thread runs until the process ends.
Worker& free_worker() {
  static Worker* worker = nullptr;  // only the main thread calls this function
  if (worker == nullptr || !worker->is_free()) worker = new Worker;
  return *worker;
}

}  // namespace

void remember_main_thread() {
  main_thread = py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
}

void run_interruptibly(std::function<void(const Stop&)> work) {
  if (PyThread_get_thread_ident() != main_thread) {
    const py::gil_scoped_release free;
    work(Stop(false));
    return;
  }
  Worker& worker = free_worker();
  const auto job = std::make_shared<Job>();
  job->work = std::move(work);
  for (bool begun = false, done = false; !done;) {
    {
      const py::gil_scoped_release free;
      if (!begun) worker.begin(job);
      begun = true;
      done = worker.wait(*job);
    }
    if (!done && PyErr_CheckSignals() != 0) {
      job->stop = true;
      throw py::error_already_set();
    }
  }
  if (job->error) std::rethrow_exception(job->error);
}

}  // namespace salvo::python
