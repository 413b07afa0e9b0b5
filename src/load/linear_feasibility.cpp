#include "load/linear_feasibility.h"

#include <cstddef>
#include <optional>

#ifdef SALVO_FIRST_VISIT
#include "base/complete_module.h"
#else
#include <boost/multiprecision/cpp_int.hpp>
#endif

namespace salvo::load {

namespace {

#ifndef SALVO_FIRST_VISIT
using Rational = boost::multiprecision::cpp_rational;
using Row = std::vector<Rational>;

/// Columns: the variables, a slack for each row, the artificial variable of the normalization, the right-hand side.
/// The slacks and the artificial variable are the first basis.
class Tableau {
 public:
  Tableau(const std::vector<std::vector<int>>& rows, const std::vector<bool>& normalized)
      : variables_(normalized.size()), columns_(variables_ + rows.size() + 2) {
    for (std::size_t r = 0; r < rows.size(); ++r) {  // -row * x + slack = 0
      Row line(columns_);
      for (std::size_t j = 0; j < variables_; ++j) line[j] = -rows[r][j];
      line[variables_ + r] = 1;
      lines_.push_back(std::move(line));
      basis_.push_back(variables_ + r);
    }
    Row sum(columns_);
    for (std::size_t j = 0; j < variables_; ++j) sum[j] = normalized[j] ? 1 : 0;
    sum[columns_ - 2] = 1;
    sum.back() = 1;
    costs_ = sum;  // the artificial variable in terms of the others
    costs_[columns_ - 2] = 0;
    lines_.push_back(std::move(sum));
    basis_.push_back(columns_ - 2);
  }

  /// Whether the artificial variable can be reduced to 0.
  bool solve() {
    while (costs_.back() != 0) {
      const std::optional<std::size_t> column = entering();
      if (!column) return false;
      pivot(leaving(*column), *column);
    }
    return true;
  }

  std::vector<double> solution() const {
    std::vector<double> x(variables_);
    for (std::size_t r = 0; r < lines_.size(); ++r) {
      if (basis_[r] < variables_) x[basis_[r]] = lines_[r].back().convert_to<double>();
    }
    return x;
  }

 private:
  std::optional<std::size_t> entering() const {
    for (std::size_t j = 0; j + 2 < columns_; ++j) {
      if (costs_[j] > 0) return j;
    }
    return std::nullopt;
  }

  /// The row with the smallest ratio; of equal ones that with the smallest basic variable. It exists: the artificial
  /// variable is bounded below, so every column with positive cost has a positive coefficient.
  std::size_t leaving(std::size_t column) const {
    std::optional<std::size_t> best;
    for (std::size_t r = 0; r < lines_.size(); ++r) {
      if (lines_[r][column] <= 0) continue;
      if (!best) {
        best = r;
        continue;
      }
      const Rational here = lines_[r].back() * lines_[*best][column], there = lines_[*best].back() * lines_[r][column];
      if (here < there || (here == there && basis_[r] < basis_[*best])) best = r;
    }
    return best.value();
  }

  void pivot(std::size_t line, std::size_t column) {
    const Rational factor = lines_[line][column];
    for (Rational& x : lines_[line]) x /= factor;
    const auto clear = [&](Row& other) {
      const Rational times = other[column];
      if (times == 0) return;
      for (std::size_t j = 0; j < columns_; ++j) other[j] -= times * lines_[line][j];
    };
    for (std::size_t r = 0; r < lines_.size(); ++r) {
      if (r != line) clear(lines_[r]);
    }
    clear(costs_);
    basis_[line] = column;
  }

  std::size_t variables_, columns_;
  std::vector<Row> lines_;
  std::vector<std::size_t> basis_;
  Row costs_;
};
#endif

/// Whether the signs alone rule out a solution. In a row without positive coefficients all variables with a negative
/// one must be 0, which may leave further rows without positive coefficients. This settles nearly all cases.
bool signs_forbid(const std::vector<std::vector<int>>& rows, const std::vector<bool>& normalized) {
  std::vector<bool> zero(normalized.size());
  for (bool more = true; more;) {
    more = false;
    for (const std::vector<int>& row : rows) {
      bool any_positive = false, any_negative = false;
      for (std::size_t j = 0; j < zero.size(); ++j) {
        any_positive = any_positive || (!zero[j] && row[j] > 0);
        any_negative = any_negative || (!zero[j] && row[j] < 0);
      }
      if (any_positive || !any_negative) continue;
      for (std::size_t j = 0; j < zero.size(); ++j) zero[j] = zero[j] || row[j] < 0;
      more = true;
    }
  }
  for (std::size_t j = 0; j < zero.size(); ++j) {
    if (normalized[j] && !zero[j]) return false;
  }
  return true;
}

}  // namespace

std::vector<double> nonnegative_solution(const std::vector<std::vector<int>>& rows,
                                         const std::vector<bool>& normalized) {
  if (signs_forbid(rows, normalized)) return {};
#ifdef SALVO_FIRST_VISIT
  throw base::CompleteModuleNeeded();
#else
  Tableau tableau(rows, normalized);
  return tableau.solve() ? tableau.solution() : std::vector<double>();
#endif
}

}  // namespace salvo::load
