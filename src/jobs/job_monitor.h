// Callbacks through which a long job reports to its front end. Any of them may be empty.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace salvo::jobs {

struct JobMonitor {
  std::function<void()> started;  ///< the preparations are over; rates count from here
  std::function<void(std::uint64_t done, std::uint64_t planned)> progress;  ///< called by one thread at a time
  std::function<void(const std::string&)> note;                             ///< a sentence for the user
};

}  // namespace salvo::jobs
