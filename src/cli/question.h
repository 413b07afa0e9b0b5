// Question: what a command asks, with every file read that its options name.
// In: RunOptions. Out: a Scenario and how to answer it.
#pragma once

#include <map>
#include <string>

#include "cli/arguments.h"
#include "load/catalogue.h"
#include "salvo/answer.h"
#include "salvo/scenario.h"

namespace salvo::cli {

/// A scenario as its source has it, and how it is answered: what the options replace is in `options.overrides`.
struct Input {
  Scenario scenario;
  AnswerOptions options;
};

/// The texts of the files that a question names: from the disk, and remembered; or those that were remembered
/// elsewhere.
class Files {
 public:
  Files() = default;
  explicit Files(std::map<std::string, std::string> texts) : elsewhere_(true), texts_(std::move(texts)) {}

  /// Throws LoadError.
  std::string read(const std::string& path);
  /// By path, all that were read.
  const std::map<std::string, std::string>& texts() const { return texts_; }

 private:
  bool elsewhere_ = false;
  std::map<std::string, std::string> texts_;
};

/// The profiles with the home-made cards of the options. Where --rules names a file, its edition is added, and the
/// options name its id afterwards. Throws LoadError.
Catalogue open_catalogue(RunOptions& options, Files& files);
Catalogue open_catalogue(RunOptions& options);

/// The scenario from a file or from flags, and the policy files that are named. Throws LoadError.
Input read_input(const Catalogue& catalogue, const RunOptions& options, Files& files);
Input read_input(const Catalogue& catalogue, const RunOptions& options);

}  // namespace salvo::cli
