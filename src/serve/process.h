// Settings of the server process.
#pragma once

#include <cstddef>

namespace salvo::serve {

/// Raises the limit of open files as far as allowed. Returns how many connections can be open at once, at most
/// `wanted`.
std::size_t allow_connections(std::size_t wanted);

/// Keeps freed memory in the process, within bounds: answers allocate and free the same memory repeatedly.
void keep_memory();

/// Ignores SIGPIPE, so that writing to a closed connection returns an error instead of ending the process.
void ignore_broken_pipes();

}  // namespace salvo::serve
