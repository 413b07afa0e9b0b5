// Names and notes of a compiled scenario, which reports show with the numbers of a Plan or Distribution.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/index.h"
#include "salvo/provenance.h"

namespace salvo::compile {

/// Label of the effects between two rounds.
inline constexpr const char* kEndPhase = "end-phase";

/// A stated token or board fact that nothing in these attacks reads.
struct Unread {
  std::string of;    ///< the ship, or the path of the attack
  std::string what;  ///< id of the token, name of the fact
  std::string note;
};

/// An attack of the plan, without engagements (game::AttackPlan::engagement).
struct AttackLabel {
  int by = 0, on = 0;  ///< the ships
  std::string weapon;  ///< display name: "primary (front)"
  int range = 0;
  std::string bonus;                      ///< the card that grants it as a bonus attack, or empty
  bool second = false;                    ///< it is the second attack of a weapon that attacks twice
  int round = 0;                          ///< from 1; 0 if the scenario has no rounds
  std::array<int, 2> given_dice{-1, -1};  ///< faces stated in place of a roll (0 defense), or -1
};

/// The names of the faces of both dice, by face.
struct FaceNames {
  std::vector<std::string> attack, defense;
};

struct ResourceLabel {
  std::string name;  ///< token id, "lock", "charge:<card>"
  int ship = 0;
  bool is_token = false;  ///< false for health, which is not part of tokens_left
  std::string state;      ///< the state that its ship enters at the threshold, or empty
  int threshold = 0;
};

/// Names and notes that a Plan does not hold. Indices are those of the Plan or Distribution.
struct Labels : Provenance {
  std::vector<std::string> ships;            ///< by ship
  std::vector<std::string> ship_titles;      ///< display name: "Wedge Antilles (T-65 X-wing)" or just the name
  std::vector<ResourceLabel> resources;      ///< by resource
  std::vector<Unread> unread_tokens;         ///< their notes are not among `notes` yet
  std::vector<Unread> unread_facts;          ///< also noted
  std::vector<std::string> turned_facedown;  ///< notes on stated faceup cards that lie facedown once resolved
  std::vector<std::string> other_ships;      ///< notes on cards of other ships, not among `notes` yet either
  std::vector<AttackLabel> attacks;          ///< without engagements
  std::vector<std::string> paths;            ///< by attack of the plan: its path in the scenario
  bool has_ungranted_bonus = false;          ///< no card grants one of the bonus attacks listed in the scenario
  std::string roll;                          ///< Scenario::roll
  std::shared_ptr<const FaceNames> faces;    ///< shared by all questions about an edition
  /// By attack of the plan (including engagements) and effect: the id of the edition's rule or of the card. If a card
  /// has several effects, followed by ":" and what distinguishes them.
  std::vector<std::vector<std::string>> effects;
  /// By attack of the plan: the index of the choice of target and weapon that offers it, or -1.
  std::vector<int> choice_of;
};

/// Adds the notes on unread tokens, which a study of several attacks adds if none of them reads the token.
inline void note_unread_tokens(const Labels& labels, std::vector<std::string>& notes) {
  for (const Unread& one : labels.unread_tokens) base::add_once(notes, one.note);
}

/// Adds all notes that compiling leaves to its callers.
inline void add_late_notes(const Labels& labels, std::vector<std::string>& notes) {
  notes.insert(notes.end(), labels.other_ships.begin(), labels.other_ships.end());
  note_unread_tokens(labels, notes);
}

}  // namespace salvo::compile
