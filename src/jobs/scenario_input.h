// Reads the scenario that a command line names, with all files that it needs.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "answers/scenario_source.h"
#include "salvo/answer.h"
#include "salvo/scenario.h"

namespace salvo::jobs {

/// Where a scenario comes from and how to answer it.
struct ScenarioRequest : answers::ScenarioSource {
  std::vector<std::string> card_files;  ///< home-made cards
  AnswerOptions answer;                 ///< with the keys of the scenario that options replace
};

/// A scenario as its source states it; options.overrides holds what options replace.
struct Input {
  Scenario scenario;
  AnswerOptions options;
};

/// The texts of files by path: read from the disk once, or all given in advance.
class InputFiles {
 public:
  InputFiles() = default;
  explicit InputFiles(std::map<std::string, std::string> texts) : complete_(true), texts_(std::move(texts)) {}

  /// Throws LoadError.
  std::string read(const std::string& path);
  /// All texts that were read or given.
  const std::map<std::string, std::string>& texts() const { return texts_; }

 private:
  bool complete_ = false;  ///< the disk is not read
  std::map<std::string, std::string> texts_;
};

/// The profiles with the home-made cards of the request. If --rules names a file, adds its edition and replaces the
/// file name in the request with the id of the edition. Throws LoadError.
Catalogue open_catalogue(ScenarioRequest& request, InputFiles& files);
Catalogue open_catalogue(ScenarioRequest& request);

/// Reads the scenario and the policy files that it names. Throws LoadError.
Input read_input(const Catalogue& catalogue, const ScenarioRequest& request, InputFiles& files);
Input read_input(const Catalogue& catalogue, const ScenarioRequest& request);

}  // namespace salvo::jobs
