// What both forms of a log share: players, ships and their names. In: words and lines. Out: a GameLog, or a LoadError
// that names the line and the remedy.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/value.h"
#include "salvo/review.h"

namespace salvo::review {

/// Builds a log line by line.
class LogBuilder {
 public:
  LogBuilder(const Catalogue& catalogue, const std::string& source, const Overrides& overrides)
      : catalogue_(catalogue), overrides_(overrides) {
    log.source = source;
  }

  GameLog log;

  [[noreturn]] void fail(int line, const std::string& why) const;
  /// The number of a player; adds a new one.
  int player(int line, const std::string& name);
  /// A number from 0 to 99.
  int initiative(int line, const std::string& word) const;
  void add_ship(int line, const std::string& name, int player, const std::string& spec);
  void add_squad(int line, int player, const Squad& squad);
  /// The ship of that name, or of a part of a name that no other ship shares.
  std::string ship(int line, const std::string& word) const;
  /// Checks the log as a whole and returns it.
  GameLog finish();
  const Catalogue& catalogue() const { return catalogue_; }

 private:
  std::optional<int> take_initiative(int line, std::string& spec) const;
  void add(int line, std::string name, LoggedShip ship);

  const Catalogue& catalogue_;
  const Overrides& overrides_;
};

GameLog read_text_log(LogBuilder builder, std::string_view text);
/// `lines`: objects, the head first.
GameLog read_json_log(LogBuilder builder, const std::vector<data::Value>& lines);

/// parse_log() for objects that are parsed already.
GameLog log_of_values(const Catalogue& catalogue, const std::vector<data::Value>& lines, const std::string& source,
                      const Overrides& overrides);

}  // namespace salvo::review
