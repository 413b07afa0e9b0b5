// Terminal: what the streams of this process are connected to.
// In: file descriptors and the environment. Out: width, colour or not.
#pragma once

#include <string_view>

namespace salvo::cli {

enum class Stream : int { Output = 1, Error = 2 };

/// Keeps the descriptors 0 to 2 occupied where the process was started without them: the next file that is opened
/// would be taken for a stream. Using such a stream still fails, or is lost. To be called before anything is opened.
void occupy_streams();

bool is_terminal(Stream stream);

/// From now on no stream is one: a program in between makes them look so, and hands on what is written (mpirun).
void ignore_terminals();

/// Columns: of the terminal, else from COLUMNS, else 80.
int terminal_width(Stream stream);

/// As set_colour() said, else a terminal that is not "dumb" while NO_COLOR is not set (no-color.org).
bool colour_wanted(Stream stream);

/// Colours always or never from now on (--color).
void set_colour(bool wanted);

/// Writes all of `text` to standard output. Throws std::system_error; EPIPE when nobody reads any more.
void write_output(std::string_view text);

/// Writes lines to standard error, as far as that goes, without what could steer a terminal.
void write_error(std::string_view text);
/// The same with "salvo: note: " before it, as a line.
void write_note(std::string_view text);

}  // namespace salvo::cli
