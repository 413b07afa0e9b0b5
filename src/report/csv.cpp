#include "report/csv.h"

#include <fmt/format.h>

#include "base/text.h"

namespace salvo::report {

std::string csv_line(const std::vector<std::string>& fields) {
  std::string out;
  for (std::size_t i = 0; i < fields.size(); ++i) out += (i > 0 ? "," : "") + base::csv_field(fields[i]);
  return out + "\n";
}

void CsvFigures::figure(const std::string& ship, const std::string& name, const std::string& key,
                        const Estimate& figure) {
  line(ship, name, key, fmt::format("{}", figure.value), sampled_ ? fmt::format("{}", figure.se) : "");
}

void CsvFigures::estimates(const std::string& ship, const std::string& name, const std::vector<Estimate>& estimates) {
  for (std::size_t k = 0; k < estimates.size(); ++k) figure(ship, name, std::to_string(k), estimates[k]);
}

void CsvFigures::line(const std::string& ship, const std::string& name, const std::string& key,
                      const std::string& value, const std::string& se) {
  out_ += csv_line({ship, name, key, value, se});
}

}  // namespace salvo::report
