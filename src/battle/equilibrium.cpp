#include "battle/equilibrium.h"

#if SALVO_GLPK

#include <glpk.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "base/index.h"

namespace salvo::battle {

std::optional<std::vector<double>> equilibrium(const std::vector<std::vector<double>>& win) {
  // Maximize v so that the mixed strategy x gets at least v against each column: sum over i of win[i][j] x[i] - v >= 0.
  const int rows = static_cast<int>(win.size()), columns = rows > 0 ? static_cast<int>(win[0].size()) : 0;
  if (rows == 0 || columns == 0) return std::vector<double>();
  const std::unique_ptr<glp_prob, void (*)(glp_prob*)> program(glp_create_prob(), glp_delete_prob);
  glp_prob* const lp = program.get();
  glp_set_obj_dir(lp, GLP_MAX);
  glp_add_cols(lp, rows + 1);
  for (int i = 1; i <= rows; ++i) glp_set_col_bnds(lp, i, GLP_LO, 0, 0);
  glp_set_col_bnds(lp, rows + 1, GLP_FR, 0, 0);
  glp_set_obj_coef(lp, rows + 1, 1);
  glp_add_rows(lp, columns + 1);
  std::vector<int> places(static_cast<std::size_t>(rows) + 2);
  std::vector<double> values(places.size());
  for (int i = 1; i <= rows + 1; ++i) base::nth(places, i) = i;
  for (int j = 1; j <= columns; ++j) {
    for (std::size_t i = 0; i < win.size(); ++i) values[i + 1] = base::nth(win[i], j - 1);
    values.back() = -1;
    glp_set_row_bnds(lp, j, GLP_LO, 0, 0);
    glp_set_mat_row(lp, j, rows + 1, places.data(), values.data());
  }
  std::fill(values.begin(), values.end(), 1.0);
  glp_set_row_bnds(lp, columns + 1, GLP_FX, 1, 1);
  glp_set_mat_row(lp, columns + 1, rows, places.data(), values.data());
  glp_smcp how;
  glp_init_smcp(&how);
  how.msg_lev = GLP_MSG_OFF;
  if (glp_simplex(lp, &how) != 0 || glp_get_status(lp) != GLP_OPT)
    throw std::runtime_error("the linear program of the mix was not solved");
  std::vector<double> out;
  for (int i = 1; i <= rows; ++i) out.push_back(std::max(0.0, glp_get_col_prim(lp, i)));
  return out;
}

}  // namespace salvo::battle

#else

namespace salvo::battle {

std::optional<std::vector<double>> equilibrium(const std::vector<std::vector<double>>& /*win*/) { return std::nullopt; }

}  // namespace salvo::battle

#endif
