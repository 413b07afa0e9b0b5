// salvo._salvo, the compiled part of the package salvo (python/salvo, docs/python.md): JSON in, JSON and arrays out.
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <vector>

#include "cells.h"
#include "interruptible.h"
#include "salvo/answer.h"
#include "salvo/request.h"
#include "salvo/version.h"

namespace py = pybind11;

namespace salvo::python {
namespace {

/// An answer as JSON, or an error as JSON if `good` is false.
struct Answer {
  bool good = false;
  std::string text;
};

Answer answer_one(const Catalogue& catalogue, const std::string& verb, const std::string& body,
                  const RequestOptions& options) {
  try {
    return {true, answer_request(catalogue, verb, body, options)};
  } catch (...) {
    return {false, request_error(true)};
  }
}

/// Raises salvo.SalvoError with the error as JSON.
[[noreturn]] void raise(const std::string& error) {
  const py::object made = py::module_::import("salvo.errors").attr("SalvoError").attr("of_json")(error);
  PyErr_SetObject(made.get_type().ptr(), made.ptr());
  throw py::error_already_set();
}

/// Turns C++ exceptions into salvo.SalvoError.
template <typename Work>
auto raising(const Work& work) {
  try {
    return work();
  } catch (const py::error_already_set&) {
    throw;
  } catch (const py::builtin_exception&) {
    throw;
  } catch (...) {
    raise(request_error(true));
  }
}

class Engine {
 public:
  explicit Engine(const std::string& profiles) {
    catalogue_ = raising([&] {
      return profiles.empty() ? std::make_shared<const Catalogue>() : std::make_shared<const Catalogue>(profiles);
    });
  }

  std::string profiles() const { return catalogue_->root().string(); }

  py::tuple request(const std::string& verb, const std::string& body, int threads) const {
    const auto answer = std::make_shared<Answer>();
    run_interruptibly([catalogue = catalogue_, verb, body, threads, answer](const Stop& stop) {
      RequestOptions options{.line = true, .threads = threads};
      options.progress = [&stop](std::uint64_t, std::uint64_t) { return !stop; };
      options.cancel = &stop;
      *answer = answer_one(*catalogue, verb, body, options);
    });
    return py::make_tuple(answer->good, answer->text);
  }

  std::vector<std::pair<bool, std::string>> batch(const std::string& verb, std::vector<std::string> bodies,
                                                  int threads) const {
    const auto answers = std::make_shared<std::vector<std::pair<bool, std::string>>>(bodies.size());
    run_interruptibly([catalogue = catalogue_, verb, bodies = std::move(bodies), threads, answers](const Stop& stop) {
      RequestOptions options{.line = true, .threads = 1};  // the questions share the cores
      options.progress = [&stop](std::uint64_t, std::uint64_t) { return !stop; };
      options.cancel = &stop;
      oneapi::tbb::task_arena arena(threads > 0 ? threads : oneapi::tbb::task_arena::automatic);
      arena.execute([&] {
        oneapi::tbb::parallel_for(std::size_t{0}, bodies.size(), [&](std::size_t i) {
          if (stop) return;
          Answer one = answer_one(*catalogue, verb, bodies[i], options);
          (*answers)[i] = {one.good, std::move(one.text)};
        });
      });
    });
    return std::move(*answers);
  }

  std::unique_ptr<Cells> cells(const std::string& grid, const std::vector<std::string>& columns,
                               const std::string& options, int threads) const {
    return raising([&] { return std::make_unique<Cells>(catalogue_, grid, columns, options, threads); });
  }

 private:
  std::shared_ptr<const Catalogue> catalogue_;
};

}  // namespace
}  // namespace salvo::python

PYBIND11_MODULE(_salvo, module) {
  using namespace salvo::python;
  remember_main_thread();
  module.doc() = "Compiled part of the package salvo.";
  module.attr("version") = salvo::build_info().version;
  module.attr("commit") = salvo::build_info().commit;
  module.attr("most_threads") = salvo::kMaxThreads;
  module.def("verbs", [] { return salvo::request_verbs(); });
  module.def("grid_of", &grid_of, py::arg("questions"), py::arg("plain"), py::arg("json"));
  py::class_<Cells>(module, "Cells")
      .def("__len__", [](const Cells& cells) { return cells.size(); })
      .def("read", [](Cells& cells, std::uint64_t first,
                      std::size_t count) { return raising([&] { return cells.read(first, count); }); })
      .def("read_these", [](Cells& cells, std::vector<std::uint64_t> which) {
        return raising([&] { return cells.read_these(std::move(which)); });
      });
  py::class_<Engine>(module, "Engine")
      .def(py::init<const std::string&>(), py::arg("profiles"))
      .def_property_readonly("profiles", &Engine::profiles)
      .def("request", &Engine::request, py::arg("verb"), py::arg("body"), py::arg("threads"))
      .def("batch", &Engine::batch, py::arg("verb"), py::arg("bodies"), py::arg("threads"))
      .def("cells", &Engine::cells, py::arg("grid"), py::arg("columns"), py::arg("options"), py::arg("threads"));
}
