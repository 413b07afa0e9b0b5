// The squad that a list of ships means: the choice among cards of one name, by faction, points and slots.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "data/value.h"
#include "load/squads/list_names.h"

namespace salvo::load {

struct ListUpgrade {
  std::string text;
  std::vector<const NameEntry*> choices;
  std::optional<int> points;
  int line;
  std::string slot;  ///< that the list names for it
};

struct ListShip {
  std::string text, ship;  ///< ship: the one named beside the pilot; empty: none
  std::string ship_words;  ///< what the list calls it
  std::string refusal;     ///< why the faction after the name excludes the pilot
  std::vector<PilotChoice> choices;
  std::optional<int> points, ship_points;
  int times = 1, line = 0;
  std::size_t indent = 0;
  std::vector<ListUpgrade> upgrades;
};

class ListSquad {
 public:
  // As read from the lines.
  std::vector<ListShip> ships;
  std::string cards, name, stated_faction;  ///< cards: the card set of its names
  std::optional<int> points;
  std::vector<std::string> notes;
  int unknown = 0;     ///< names that mean no card
  int cards_read = 0;  ///< also those beyond the most that are stored
  int skipped = 0;     ///< lines without a card, such as titles

  /// Leaves each name one card at most.
  void choose(const ListNames& names);
  /// How badly the list fits the card set: names that are not exactly its own and lines without one, points that agree
  /// with its costs (negative), unknown names, cards that are variants of others. The least is best.
  std::tuple<int, int, int, int> misfit() const {
    return {unknown + guessed_ + skipped, -agreeing_, unknown, variants_};
  }
  bool any_known() const;
  /// Whether the list names a ship or a faction beside a known pilot that is not one of his.
  bool any_refused() const { return refused_; }
  /// The squad as a builder would export it. Fills in the line of each path.
  data::Value tree(std::map<std::string, int>& places) const;

 private:
  void choose_faction(const ListNames& names);
  void drop_skills();
  void choose_pilot(const ListNames& names, ListShip& ship);
  void choose_upgrades(const ListNames& names, ListShip& ship);
  void note(const ListNames& names, int line, const std::string& text, const NameEntry& entry);

  std::string faction_;
  int agreeing_ = 0, guessed_ = 0;
  int variants_ = 0;  ///< upgrades whose plain name, and nothing beside it, is the id of another one
  bool refused_ = false;
};

}  // namespace salvo::load
