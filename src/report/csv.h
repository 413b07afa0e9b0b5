// CSV: fields are quoted only where RFC 4180 requires it; lines end in a plain newline.
#pragma once

#include <string>
#include <vector>

#include "salvo/estimates.h"

namespace salvo::report {

/// A line of fields.
std::string csv_line(const std::vector<std::string>& fields);

/// Long form for spreadsheets and data frames, one figure a line: ship,figure,key,value,se. The error is empty if a
/// figure has none.
class CsvFigures {
 public:
  explicit CsvFigures(bool sampled) : sampled_(sampled) {}

  void figure(const std::string& ship, const std::string& name, const std::string& key, const Estimate& figure);
  /// The key is the index in the list, from 0.
  void estimates(const std::string& ship, const std::string& name, const std::vector<Estimate>& estimates);
  /// A number that is no estimate, such as the number of trials.
  void number(const std::string& name, const std::string& value) { line("", name, "", value, ""); }
  /// A word or sentence, in the column `key`, so that `value` holds numbers only.
  void text(const std::string& name, const std::string& words, const std::string& ship = "") {
    line(ship, name, words, "", "");
  }
  std::string take() { return std::move(out_); }

 private:
  void line(const std::string& ship, const std::string& name, const std::string& key, const std::string& value,
            const std::string& se);

  bool sampled_;
  std::string out_ = "ship,figure,key,value,se\n";
};

}  // namespace salvo::report
