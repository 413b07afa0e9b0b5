// The engines that answer, and their names in options, JSON and CSV.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace salvo {

/// Which engine should answer. Both: both answer and are tested against each other.
enum class EngineChoice { Exact, Sample, Both };

/// Which engine answered. Mixed: several questions, not all by the same engine.
enum class Engine { Exact, Sample, Both, Mixed };

/// By Engine; those of EngineChoice come first.
inline constexpr std::string_view kEngineNames[] = {"exact", "sample", "both", "mixed"};
inline constexpr std::size_t kEngineChoices = 3;

constexpr std::string_view to_string(Engine engine) { return kEngineNames[static_cast<std::size_t>(engine)]; }

/// The engine that answers if `choice` is possible.
constexpr Engine engine_of(EngineChoice choice) { return static_cast<Engine>(choice); }

/// Nothing for another text.
constexpr std::optional<EngineChoice> parse_engine(std::string_view name) {
  for (std::size_t i = 0; i < kEngineChoices; ++i) {
    if (kEngineNames[i] == name) return static_cast<EngineChoice>(i);
  }
  return std::nullopt;
}

}  // namespace salvo
