// The standard streams: whether they are terminals, their width and colours, and writing to them.
#pragma once

#include <string_view>

namespace salvo::cli {

enum class Stream : int { Output = 1, Error = 2 };

/// Opens descriptors 0 to 2 if the process was started without them; otherwise the next opened file would become a
/// standard stream. Using such a stream still fails, or its output is lost. Must be called before any file is opened.
void occupy_streams();

bool is_terminal(Stream stream);

/// Treats no stream as a terminal from now on: mpirun makes them look like one.
void ignore_terminals();

/// Columns of the terminal, else COLUMNS, else 80.
int terminal_width(Stream stream);

/// The value of set_colour(); by default a terminal that is not "dumb", unless NO_COLOR is set (no-color.org).
bool colour_wanted(Stream stream);

/// Always or never use colours (--color).
void set_colour(bool wanted);

/// Writes all of `text` to standard output. Throws std::system_error, EPIPE if the reader is gone.
void write_output(std::string_view text);

/// Writes lines to standard error, without control characters. Ignores errors.
void write_error(std::string_view text);
/// Writes a line that begins "salvo: note: ".
void write_note(std::string_view text);

}  // namespace salvo::cli
