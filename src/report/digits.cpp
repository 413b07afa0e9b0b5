#include "report/digits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/significance.h"

namespace salvo::report {
namespace {

constexpr int kPercentDecimals = 2;  ///< of exact probabilities
constexpr int kMaxDecimals = 6;
constexpr int kMaxPercentDecimals = 4;

/// Decimals that show the first digit of an uncertainty, or two digits if the first is 1.
int decimals_of(double uncertainty, int most) {
  if (!(uncertainty > 0)) return most;
  return std::clamp(static_cast<int>(std::ceil(-std::log10(uncertainty / 2))), 0, most);
}

std::string fixed(double x, int decimals) {
  std::string text = fmt::format("{:.{}f}", x, decimals);
  if (text.starts_with('-') && text.find_first_of("123456789") == std::string::npos) text.erase(0, 1);
  return text;
}

double rounded(double x, int decimals, double (*round)(double)) {
  const double scale = std::pow(10.0, decimals);
  return round(x * scale) / scale;
}

int percent_decimals(const Estimate& p, std::uint64_t trials) {
  if (trials == 0) return kPercentDecimals;
  const Interval interval = wilson(p.value, trials);
  return decimals_of(100 * (interval.high - interval.low) / 2, kMaxPercentDecimals);
}

/// The ends of a scale need no decimals.
std::string percent_bound(double percent, int decimals) {
  if (percent <= 0) return "0";
  if (percent >= 100) return "100";
  return fixed(percent, decimals);
}

}  // namespace

Interval wilson(double p, std::uint64_t trials) {
  if (trials == 0) return {p, p};
  const auto n = static_cast<double>(trials);
  const double z = base::kTwoSided95, z2n = z * z / n;
  const double middle = (p + z2n / 2) / (1 + z2n);
  const double half = z / (1 + z2n) * std::sqrt(std::max(0.0, p * (1 - p) / n + z2n / (4 * n)));
  return {p <= 0 ? 0.0 : std::max(0.0, middle - half), p >= 1 ? 1.0 : std::min(1.0, middle + half)};
}

std::string percent(const Estimate& probability, std::uint64_t trials) {
  constexpr double kRounding = 1e-13;  // sums of exact probabilities miss 0 and 1 by less
  const double p = probability.value;
  if (p <= kRounding) return "0%";
  if (p >= 1 - kRounding) return "100%";
  const int decimals = percent_decimals(probability, trials);
  const double step = std::pow(10.0, -decimals);
  if (100 * p < step / 2) return fmt::format("<{}%", fixed(step, decimals));
  if (100 * p > 100 - step / 2) return fmt::format(">{}%", fixed(100 - step, decimals));
  return fixed(100 * p, decimals) + "%";
}

double chance_half_width(const Estimate& probability, std::uint64_t trials) {
  if (probability.se > 0) return base::kTwoSided95 * probability.se;
  if (trials == 0 || (probability.value > 0 && probability.value < 1)) return 0;
  const Interval interval = wilson(probability.value, trials);
  return (interval.high - interval.low) / 2;
}

std::string percent_interval(const Estimate& probability, std::uint64_t trials) {
  const Interval interval = wilson(probability.value, trials);
  const int decimals = percent_decimals(probability, trials);
  const double low = rounded(100 * interval.low, decimals, std::floor);
  const double high = rounded(100 * interval.high, decimals, std::ceil);
  return percent_bound(low, decimals) + "–" + percent_bound(high, decimals);
}

std::string percent_half_width(const Estimate& probability, std::uint64_t trials) {
  const double half = trials > 0 ? 100 * chance_half_width(probability, trials) : 0;
  if (!(half > 0)) return "";
  const int decimals = percent_decimals(probability, trials);
  return "±" + fixed(rounded(half, decimals, std::ceil), decimals) + "%";
}

std::string percent_with_interval(const Estimate& probability, std::uint64_t trials) {
  const std::string out = percent(probability, trials);
  return trials > 0 ? fmt::format("{}  ({}%)", out, percent_interval(probability, trials)) : out;
}

std::string mean(const Estimate& figure, int decimals) {
  if (figure.se > 0) return fixed(figure.value, decimals_of(base::kTwoSided95 * figure.se, kMaxDecimals));
  const double whole = std::round(figure.value);
  if (std::abs(figure.value - whole) < 1e-9) return fixed(whole, 0);
  const double step = std::pow(10.0, -decimals);
  if (std::abs(figure.value) < step / 2) {
    return fmt::format("{}{}", figure.value < 0 ? ">-" : "<", fixed(step, decimals));
  }
  return fixed(figure.value, decimals);
}

std::string half_width(const Estimate& figure) {
  if (!(figure.se > 0)) return "";
  const double half = base::kTwoSided95 * figure.se;
  const int decimals = decimals_of(half, kMaxDecimals);
  return "±" + fixed(rounded(half, decimals, std::ceil), decimals);
}

std::string mean_with_half_width(const Estimate& figure, int decimals) {
  const std::string half = half_width(figure);
  return half.empty() ? mean(figure, decimals) : mean(figure, decimals) + " " + half;
}

}  // namespace salvo::report
