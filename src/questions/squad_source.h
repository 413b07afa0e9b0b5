// A squad as users give it: a file, a link, a list of ships, an object of a request, or the words of one ship.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/node.h"
#include "salvo/catalogue.h"
#include "salvo/squad.h"

namespace salvo::questions {

/// A squad as the user gave it. Reading it needs a catalogue.
class SquadSource {
 public:
  /// `takes_spec`: the words of one ship are a SPEC; otherwise a list of one ship.
  SquadSource(const data::Node& node, bool takes_spec);

  /// Empty card set or rules: inferred from the squad. Throws LoadError, also if none of its pilots is known.
  Squad read(const Catalogue& catalogue, const std::optional<std::string>& cards,
             const std::optional<std::string>& rules) const;
  /// The opponent of `mine`. `as_mine`: the user chose card set or rules, so the squad is read like `mine`.
  Squad read_against(const Catalogue& catalogue, const Squad& mine, bool as_mine) const;

 private:
  Squad read_any(const Catalogue& catalogue, const std::optional<std::string>& cards,
                 const std::optional<std::string>& rules) const;
  Squad checked(Squad squad) const;

  data::Value value_;
  std::string place_;  ///< for messages: key of a request, or file of an option
  std::string name_;   ///< of a squad given as a list of texts; else empty
  bool option_;
  enum class Form { Tree, Text, Spec };  ///< XWS; XWS as text, a list of ships or a link; the words of one ship
  Form form_ = Form::Spec;
};

/// Whether a command-line argument can only be the name of a file, existing or not.
bool names_file(const data::Node& node);

/// The error for a squad without a known pilot: what that means here, and which ids are unknown.
std::string no_pilot_known(const Squad& squad, std::string_view consequence);

/// Adds a sentence for each id of a squad that is unknown.
void warn_of_unknown(const Squad& squad, std::vector<std::string>& warnings);

}  // namespace salvo::questions
