// Names in the forms that are compared: case, accents and punctuation do not matter.
#pragma once

#include <string>
#include <string_view>

namespace salvo::base {

/// Lower-case letters and digits alone, accents dropped: "Fire-Control System" and "firecontrolsystem" are the same.
std::string name_key(std::string_view text);

/// The words of a text in the form of name_key, each after a blank: "T-65 X-wing" is " t 65 x wing".
std::string name_words(std::string_view text);

/// Write the same to `out`, which has room for one character more than `text`. Return the end of what was written.
char* write_name_key(std::string_view text, char* out);
char* write_name_words(std::string_view text, char* out);

}  // namespace salvo::base
