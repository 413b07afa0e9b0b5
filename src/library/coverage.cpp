// Coverage: see coverage.h.
#include "library/coverage.h"

#include <algorithm>
#include <map>
#include <optional>

#include "load/file.h"
#include "load/message.h"

namespace salvo::library {

namespace {

/// Whether a card can change an attack, by kind and id.
using Relevance = std::map<std::pair<std::string, std::string>, bool>;

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  for (;;) {
    const std::size_t end = text.find(separator);
    out.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

Relevance read_relevance(const std::filesystem::path& path, const std::string& card_set) {
  const std::string name = path.string(), text = load::read_file(name);
  load::check_text(text, name);
  Relevance out;
  int number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> columns = split(line, '\t');
    if (columns.size() != 4) {
      load::fail(name, "", number,
                 "four columns are needed: id, kind, sets in which it matters, sets in which it does not");
    }
    for (const bool relevant : {true, false}) {
      const std::vector<std::string> sets = split(columns[relevant ? 2 : 3], ',');
      if (std::find(sets.begin(), sets.end(), card_set) != sets.end()) out[{columns[1], columns[0]}] = relevant;
    }
  }
  return out;
}

}  // namespace

const std::array<std::string, kStates>& state_names() {
  static const std::array<std::string, kStates> names{"modelled", "partly", "not", "irrelevant", "unclassified"};
  return names;
}

std::size_t Coverage::count(const std::string& kind, State state) const {
  return static_cast<std::size_t>(std::count_if(cards.begin(), cards.end(), [&](const CoveredCard& card) {
    return card.state == state && (kind.empty() || card.kind == kind);
  }));
}

std::size_t Coverage::relevant(const std::string& kind) const {
  return count(kind, State::Modelled) + count(kind, State::Partly) + count(kind, State::Missing);
}

std::string set_of_data(const Catalogue& catalogue, const load::CardData& data) {
  if (data.first_edition) return "first-edition";
  std::string out;
  std::size_t least = 0;
  for (const char* set : {"2025", "legacy"}) {
    const std::size_t unknown = cover(catalogue, data, set).count("", State::Unclassified);
    if (!out.empty() && unknown >= least) continue;
    out = set;
    least = unknown;
  }
  return out;
}

Coverage cover(const Catalogue& catalogue, const load::CardData& data, const std::string& card_set) {
  const Relevance relevance = read_relevance(catalogue.root() / "cards" / "relevant.tsv", card_set);
  Coverage out{card_set, {}};
  for (const load::DataCard& card : data.cards) {
    CoveredCard covered{card.kind, card.id, State::Unclassified, {}};
    const auto known = relevance.find({card.kind, card.id});
    if (const CardSpec* spec = catalogue.card(card.kind, card.id, card_set)) {
      covered.state = spec->partly.empty() ? State::Modelled : State::Partly;
      covered.partly = spec->partly;
    } else if (!card.ability) {
      covered.state = State::Irrelevant;
    } else if (known != relevance.end()) {
      covered.state = known->second ? State::Missing : State::Irrelevant;
    }
    out.cards.push_back(std::move(covered));
  }
  return out;
}

}  // namespace salvo::library
