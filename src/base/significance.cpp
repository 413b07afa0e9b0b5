#include "base/significance.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>

namespace salvo::base {

double chi_squared_tail(double x, int df) {
  return boost::math::cdf(boost::math::complement(boost::math::chi_squared(df), x));
}

double two_sided_z(double chance) {
  return boost::math::quantile(boost::math::complement(boost::math::normal(), chance / 2));
}

}  // namespace salvo::base
