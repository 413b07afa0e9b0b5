// Normalizes names for comparison: case, accents and punctuation do not matter.
#pragma once

#include <string>
#include <string_view>

namespace salvo::base {

/// Lower-case letters and digits only, without accents: "Fire-Control System" becomes "firecontrolsystem".
std::string name_key(std::string_view text);

/// The words of a text, each normalized like name_key() and preceded by a blank: "T-65 X-wing" is " t 65 x wing".
std::string name_words(std::string_view text);

/// Write the same to `out`, which needs room for one character more than `text` has. Return the end of the output.
char* write_name_key(std::string_view text, char* out);
char* write_name_words(std::string_view text, char* out);

}  // namespace salvo::base
