#include "battle/equilibrium.h"

#ifdef SALVO_GLPK

#include <dlfcn.h>
#include <glpk.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "base/index.h"

namespace salvo::battle {
namespace {

/// GLPK, loaded when it is first needed: it brings six libraries along, and loading those takes a tenth of a short run.
void* glpk() {
  static void* const library = ::dlopen(SALVO_GLPK, RTLD_NOW | RTLD_LOCAL);
  return library;
}

template <typename Function>
Function* function_of_glpk(const char* name) {
  void* const found = ::dlsym(glpk(), name);
  if (found == nullptr) throw std::runtime_error(std::string("GLPK lacks ") + name);
  return reinterpret_cast<Function*>(found);
}

/// Calls a function of GLPK by its name.
#define GLPK(name) function_of_glpk<decltype(::name)>(#name)

}  // namespace

std::optional<std::vector<double>> equilibrium(const std::vector<std::vector<double>>& win) {
  if (glpk() == nullptr) return std::nullopt;
  // Maximize v so that the mixed strategy x gets at least v against each column: sum over i of win[i][j] x[i] - v >= 0.
  const int rows = static_cast<int>(win.size()), columns = rows > 0 ? static_cast<int>(win[0].size()) : 0;
  if (rows == 0 || columns == 0) return std::vector<double>();
  const std::unique_ptr<glp_prob, void (*)(glp_prob*)> program(GLPK(glp_create_prob)(), GLPK(glp_delete_prob));
  glp_prob* const lp = program.get();
  GLPK(glp_set_obj_dir)(lp, GLP_MAX);
  GLPK(glp_add_cols)(lp, rows + 1);
  for (int i = 1; i <= rows; ++i) GLPK(glp_set_col_bnds)(lp, i, GLP_LO, 0, 0);
  GLPK(glp_set_col_bnds)(lp, rows + 1, GLP_FR, 0, 0);
  GLPK(glp_set_obj_coef)(lp, rows + 1, 1);
  GLPK(glp_add_rows)(lp, columns + 1);
  std::vector<int> places(static_cast<std::size_t>(rows) + 2);
  std::vector<double> values(places.size());
  for (int i = 1; i <= rows + 1; ++i) base::nth(places, i) = i;
  for (int j = 1; j <= columns; ++j) {
    for (std::size_t i = 0; i < win.size(); ++i) values[i + 1] = base::nth(win[i], j - 1);
    values.back() = -1;
    GLPK(glp_set_row_bnds)(lp, j, GLP_LO, 0, 0);
    GLPK(glp_set_mat_row)(lp, j, rows + 1, places.data(), values.data());
  }
  std::fill(values.begin(), values.end(), 1.0);
  GLPK(glp_set_row_bnds)(lp, columns + 1, GLP_FX, 1, 1);
  GLPK(glp_set_mat_row)(lp, columns + 1, rows, places.data(), values.data());
  glp_smcp how;
  GLPK(glp_init_smcp)(&how);
  how.msg_lev = GLP_MSG_OFF;
  if (GLPK(glp_simplex)(lp, &how) != 0 || GLPK(glp_get_status)(lp) != GLP_OPT)
    throw std::runtime_error("the linear program of the mix was not solved");
  std::vector<double> out;
  for (int i = 1; i <= rows; ++i) out.push_back(std::max(0.0, GLPK(glp_get_col_prim)(lp, i)));
  return out;
}

}  // namespace salvo::battle

#else

namespace salvo::battle {

std::optional<std::vector<double>> equilibrium(const std::vector<std::vector<double>>& /*win*/) { return std::nullopt; }

}  // namespace salvo::battle

#endif
