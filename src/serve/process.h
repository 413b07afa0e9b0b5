// What the process of the server asks of the system.
#pragma once

#include <cstddef>

namespace salvo::serve {

/// Asks for as many descriptors as the system allows. Returns how many connections can be open at once, up to `wanted`.
std::size_t allow_connections(std::size_t wanted);

/// Answers take and give back the same memory again and again: it stays with the program, within bounds, instead of
/// going to the system and back.
void keep_memory();

/// A client that is gone is an error of its connection, not the end of the program.
void ignore_broken_pipes();

}  // namespace salvo::serve
