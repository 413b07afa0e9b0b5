#include "jobs/scenario_input.h"

#include "data/file.h"

namespace salvo::jobs {

std::string InputFiles::read(const std::string& path) {
  const auto known = texts_.find(path);
  if (known != texts_.end()) return known->second;
  if (complete_) throw LoadError(path + ": is missing from the shard; make the shard again", "", "");
  return texts_[path] = data::read_file(path);
}

Catalogue open_catalogue(ScenarioRequest& request) {
  InputFiles files;
  return open_catalogue(request, files);
}

Catalogue open_catalogue(ScenarioRequest& request, InputFiles& files) {
  Catalogue catalogue;
  std::optional<std::string>& rules = request.answer.overrides.rules;
  if (rules && (rules->ends_with(".toml") || rules->find('/') != std::string::npos))
    rules = catalogue.add_rules_text(files.read(*rules), *rules);
  for (const std::string& file : request.card_files) catalogue.add_card_text(files.read(file), file);
  return catalogue;
}

Input read_input(const Catalogue& catalogue, const ScenarioRequest& request) {
  InputFiles files;
  return read_input(catalogue, request, files);
}

Input read_input(const Catalogue& catalogue, const ScenarioRequest& request, InputFiles& files) {
  Input out{{}, request.answer};
  out.scenario = answers::read_scenario(catalogue, request, out.options.overrides,
                                        [&](const std::string& path) { return files.read(path); });
  return out;
}

}  // namespace salvo::jobs
