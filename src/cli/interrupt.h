// SIGINT: ends the program at once, or, while sampling, asks it to stop and print what there is.
// In: the signal. Out: a flag to poll.
#pragma once

namespace salvo::cli {

/// From now on SIGINT prints one line and ends the program with status 130.
void end_on_interrupt();

/// From now on SIGINT only sets the flag; a second one ends the program at once, and so does the fourth second in which
/// nobody polled it.
void collect_interrupts();

/// Whether SIGINT came since collect_interrupts().
bool interrupted();

}  // namespace salvo::cli
