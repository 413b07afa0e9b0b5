// SIGINT ends the program at once or, while sampling, asks it to stop and print the result so far.
#pragma once

namespace salvo::cli {

/// Lets SIGINT print one line and end the program with status 130.
void end_on_interrupt();

/// Lets SIGINT set the flag of interrupted(). A second SIGINT ends the program at once, and so do four seconds without
/// a call of interrupted().
void collect_interrupts();

/// Whether SIGINT arrived since collect_interrupts().
bool interrupted();

}  // namespace salvo::cli
