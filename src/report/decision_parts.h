// Numbers and columns that the tables of all decision commands (advise, worth, order, card) share.
#pragma once

#include <string>
#include <vector>

#include "report/page.h"
#include "report/provenance.h"

namespace salvo::report {

/// "1.2345" and "+1.2345"; zero has no sign.
std::string number(double x, int decimals = 4);
std::string change(double x, int decimals = 4);
/// "12.34%" of an exact probability, and "+1.23%" for a difference of two.
std::string share(double p);
std::string share_change(double p);

/// The loss of option `index` in a table: "best" for the first, "equal" for others as good, else "-0.1234". An option
/// that has the best value but loses damage shows that loss instead.
std::string loss_words(std::size_t index, double loss, double damage_loss);

/// "  and 3 more; --format json has them", if `all` exceeds `shown`.
void write_rest(Page& page, std::size_t all, std::size_t shown, const char* what = "more");

/// A table whose first column takes the remaining room. The other columns are right-aligned; on a narrow page the last
/// ones are left out.
class Columns {
 public:
  Columns(std::string title, std::vector<std::string> headers)
      : title_(std::move(title)), headers_(std::move(headers)) {}
  void row(std::string text, std::vector<std::string> cells, Style style = Style::Plain);
  void write(Page& page) const;

 private:
  struct Row {
    std::string text;
    std::vector<std::string> cells;
    Style style;
  };
  std::string title_;
  std::vector<std::string> headers_;
  std::vector<Row> rows_;
};

}  // namespace salvo::report
