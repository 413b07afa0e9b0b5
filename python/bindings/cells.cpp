#include "cells.h"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <set>
#include <unordered_map>
#include <variant>

#include "api/answer_question.h"
#include "interruptible.h"
#include "questions/scenario_question.h"
#include "report/columns.h"
#include "study/sweep.h"

namespace py = pybind11;

namespace salvo::python {
namespace {

constexpr std::size_t kCellsAtOnce = 512;

/// Numbers words; a word has the same number in all chunks of a sweep.
class WordNumbers {
 public:
  /// A provisional number, which depends on the order of the threads.
  std::int32_t number(const std::string& word) {
    const std::lock_guard lock(mutex_);
    const auto [at, fresh] = numbers_.emplace(word, static_cast<std::int32_t>(met_.size()));
    if (fresh) met_.push_back(word);
    return at->second;
  }

  /// Renumbers the words of a chunk in the order in which they appear in its cells.
  void settle(std::vector<std::int32_t>& numbers) {
    const std::lock_guard lock(mutex_);  // interrupted work may still be running
    settled_.resize(met_.size(), -1);
    for (std::int32_t& number : numbers) {
      if (number < 0) continue;
      std::int32_t& settled = settled_[static_cast<std::size_t>(number)];
      if (settled < 0) {
        settled = static_cast<std::int32_t>(list_.size());
        list_.push_back(met_[static_cast<std::size_t>(number)]);
      }
      number = settled;
    }
  }
  const std::vector<std::string>& list() const { return list_; }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::int32_t> numbers_;
  std::vector<std::string> met_, list_;
  std::vector<std::int32_t> settled_;  ///< by provisional number
};

/// A column of one chunk. C++ owns the numbers; the NumPy array is a view of them.
struct ColumnData {
  report::SweepColumns::Kind kind = report::SweepColumns::Kind::Real;
  std::vector<double> reals;  ///< for numbers; NaN if missing
  std::vector<std::int64_t> integers;
  std::vector<std::int32_t> words;
};

template <typename T>
py::array array_of(std::vector<T>&& numbers) {
  auto* const owned = new std::vector<T>(std::move(numbers));
  const py::capsule owner(owned, [](void* p) { delete static_cast<std::vector<T>*>(p); });
  return py::array_t<T>({owned->size()}, {sizeof(T)}, owned->data(), owner);
}

}  // namespace

struct Cells::Content {
  Content(std::shared_ptr<const Catalogue> catalogue_, const std::string& text, const std::vector<std::string>& names,
          const AnswerOptions& answer, int threads_)
      : catalogue(std::move(catalogue_)),
        grid(load::parse_grid(text, "the grid", catalogue.get(), answer.overrides.cards)),
        columns(grid),
        threads(threads_) {
    if (!names.empty()) columns.choose(names);
    words.resize(columns.size());
    for (auto& list : words) list = std::make_unique<WordNumbers>();
    sweep.emplace(*catalogue, grid, study::SweepOptions{answer, true, columns.has_costs()});
  }

  void fill(const study::SweepRow& row, std::size_t at, std::vector<ColumnData>& out) const {
    const std::vector<std::size_t> coordinates = grid.coordinates(row.cell);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const report::Cell cell = columns.value(c, row, coordinates);
      ColumnData& column = out[c];
      switch (column.kind) {
        case report::SweepColumns::Kind::Text:
          column.words[at] =
              std::holds_alternative<std::string>(cell) ? words[c]->number(std::get<std::string>(cell)) : -1;
          break;
        case report::SweepColumns::Kind::Integer:
          if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
            column.integers[at] = *integer;
            column.reals[at] = static_cast<double>(*integer);
          }
          break;
        case report::SweepColumns::Kind::Real:
          if (const auto* real = std::get_if<double>(&cell)) column.reals[at] = *real;
          break;
      }
    }
  }

  std::shared_ptr<const Catalogue> catalogue;
  load::Grid grid;
  report::SweepColumns columns;
  int threads;
  std::vector<std::unique_ptr<WordNumbers>> words;  ///< by column
  std::optional<study::Sweep> sweep;
};

Cells::Cells(std::shared_ptr<const Catalogue> catalogue, const std::string& grid,
             const std::vector<std::string>& columns, const std::string& options, int threads) {
  questions::ScenarioQuestion cell;
  questions::FieldList list(false);
  questions::describe_play(cell, list, false, false);
  questions::describe_engines(cell, {}, list);
  questions::describe_threads(cell.answer, nullptr, list);
  std::optional<Catalogue> own = api::read_body(cell, list, *catalogue, options, {.threads = threads});
  if (own) catalogue = std::make_shared<const Catalogue>(std::move(*own));
  content_ = std::make_shared<Content>(std::move(catalogue), grid, columns, cell.answer, cell.answer.threads);
}
Cells::~Cells() = default;

std::uint64_t Cells::size() const { return content_->grid.size(); }

py::dict Cells::read(std::uint64_t first, std::size_t count) {
  const std::uint64_t left = size() - std::min(first, size());
  return read(nullptr, first, static_cast<std::size_t>(std::min<std::uint64_t>(count, left)));
}

py::dict Cells::read_these(std::vector<std::uint64_t> cells) {
  const std::size_t count = cells.size();
  for (const std::uint64_t cell : cells) {
    if (cell >= size()) throw py::index_error("there is no such cell");
  }
  return read(std::make_shared<const std::vector<std::uint64_t>>(std::move(cells)), 0, count);
}

py::dict Cells::read(std::shared_ptr<const std::vector<std::uint64_t>> cells, std::uint64_t first, std::size_t count) {
  const auto data = std::make_shared<std::vector<ColumnData>>(content_->columns.size());
  for (std::size_t c = 0; c < data->size(); ++c) {
    ColumnData& column = (*data)[c];
    column.kind = content_->columns.kind(c);
    if (column.kind == report::SweepColumns::Kind::Text) {
      column.words.assign(count, -1);
    } else {
      column.reals.assign(count, std::numeric_limits<double>::quiet_NaN());
    }
    if (column.kind == report::SweepColumns::Kind::Integer) column.integers.assign(count, 0);
  }
  run_interruptibly([content = content_, data, cells, first, count](const Stop& stop) {
    oneapi::tbb::task_arena arena(content->threads > 0 ? content->threads : oneapi::tbb::task_arena::automatic);
    const std::size_t blocks = (count + kCellsAtOnce - 1) / kCellsAtOnce;
    arena.execute([&] {
      oneapi::tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t block) {
        if (stop) return;
        const std::size_t begin = block * kCellsAtOnce, n = std::min(kCellsAtOnce, count - begin);
        std::vector<study::SweepRow> rows;
        if (!cells) {
          content->sweep->play(first + begin, n, rows);
          for (std::size_t i = 0; i < n; ++i) content->fill(rows[i], begin + i, *data);
          return;
        }
        for (std::size_t i = begin; i < begin + n; ++i) {
          content->sweep->play((*cells)[i], 1, rows);
          content->fill(rows.front(), i, *data);
        }
      });
    });
  });
  py::dict out;
  for (std::size_t c = 0; c < data->size(); ++c) {
    ColumnData& column = (*data)[c];
    const py::str name(content_->columns.name(c));
    if (column.kind == report::SweepColumns::Kind::Text) {
      content_->words[c]->settle(column.words);
      out[name] = py::make_tuple(array_of(std::move(column.words)), content_->words[c]->list());
      continue;
    }
    const bool whole = column.kind == report::SweepColumns::Kind::Integer &&
                       std::none_of(column.reals.begin(), column.reals.end(), [](double x) { return x != x; });
    if (whole) {
      out[name] = array_of(std::move(column.integers));
    } else {
      out[name] = array_of(std::move(column.reals));
    }
  }
  return out;
}

// ---------------------------------------------------------------- questions as cells

namespace {

/// Finds the keys in which the questions differ.
class Differences {
 public:
  Differences(const py::object& first, py::function plain, py::function json)
      : plain_(std::move(plain)), json_(std::move(json)), first_(question(first)) {}

  /// Whether the path of an axis contains that of another. The result of setting both would depend on their order, so
  /// then all questions must be added again, with the value at the shorter path compared as a whole.
  bool needs_second_pass() {
    std::set<std::string> paths;
    for (const Axis& axis : axes_) paths.insert(axis.path);
    for (const std::string& path : paths) {
      const auto next = paths.upper_bound(path);
      // Not every path with this prefix lies below it: "ships.a" and "ships.a b".
      for (auto below = next; below != paths.end() && below->starts_with(path); ++below) {
        if ((*below)[path.size()] == '.' || (*below)[path.size()] == '[') wholes_.insert(path);
      }
    }
    if (axes_.empty() || wholes_.empty()) return false;
    axes_.clear();
    paths_.clear();
    items_.clear();
    return true;
  }

  void add(const py::handle& item) {
    found_.clear();
    compare(first_, question(item), "");
    items_.push_back(found_);
  }

  py::tuple result() {
    py::dict grid = first_.attr("copy")();
    std::vector<std::uint64_t> weights(axes_.size(), 1);
    std::uint64_t size = 1;
    for (std::size_t a = axes_.size(); a-- > 0;) {
      weights[a] = size;
      if (axes_[a].values.size() > kMost / size) return as_variants();
      size *= axes_[a].values.size();
    }
    py::dict axes;
    for (const Axis& axis : axes_) axes[py::str(axis.path)] = axis.values;
    if (axes_.empty())
      axes["objective"] = py::make_tuple(first_.contains("objective") ? first_["objective"] : py::str("damage"));
    grid["grid"] = axes;
    std::vector<std::uint64_t> cells;
    cells.reserve(items_.size());
    for (const Item& item : items_) {
      std::uint64_t cell = 0;
      for (const auto& [axis, value] : item) cell += weights[axis] * value;
      cells.push_back(cell);
    }
    return py::make_tuple(json_(grid), cells);
  }

 private:
  static constexpr std::uint64_t kMost = 1'000'000'000'000;

  struct Axis {
    std::string path;
    py::list values;                                         ///< the first question's value first
    std::unordered_map<std::string, std::uint64_t> numbers;  ///< by their JSON
  };
  using Item =
      std::vector<std::pair<std::size_t, std::uint64_t>>;  ///< axes and values that differ from the first question

  /// For a product with too many cells: each question becomes a variant of a single axis, without shared work.
  py::tuple as_variants() {
    py::dict grid = first_.attr("copy")();
    py::list variants;
    std::vector<std::uint64_t> cells;
    for (const Item& item : items_) {
      py::dict set;
      for (const Axis& axis : axes_) set[py::str(axis.path)] = axis.values[0];
      for (const auto& [axis, value] : item) set[py::str(axes_[axis].path)] = axes_[axis].values[value];
      py::dict variant;
      variant["name"] = std::to_string(cells.size());
      variant["set"] = set;
      variants.append(variant);
      cells.push_back(cells.size());
    }
    py::dict axis;
    axis["name"] = "question";
    axis["variant"] = variants;
    grid["axis"] = py::make_tuple(axis);
    return py::make_tuple(json_(grid), cells);
  }

  static bool is_scalar(const py::handle& value) {
    PyObject* const p = value.ptr();
    return value.is_none() || PyUnicode_Check(p) || PyLong_Check(p) || PyFloat_Check(p);
  }

  /// The value, converted if JSON cannot represent its type (other mappings, NumPy numbers).
  py::object plain(const py::handle& value) const {
    PyObject* const p = value.ptr();
    if (PyDict_Check(p) || PyList_Check(p) || PyTuple_Check(p) || is_scalar(value))
      return py::reinterpret_borrow<py::object>(value);
    return plain_(value);
  }

  py::dict question(const py::handle& item) const {
    py::object out = plain(item);
    if (!py::isinstance<py::dict>(out)) throw py::value_error("a question is a mapping with the keys of a scenario");
    return out;
  }

  static bool is_key(const std::string& name) { return !name.empty() && name.find_first_of(".[") == std::string::npos; }

  /// Whether two objects have the same keys, all of them usable in a path.
  static bool same_keys(const py::dict& a, const py::dict& b) {
    if (a.size() != b.size()) return false;
    for (const auto& [key, value] : a) {
      if (!py::isinstance<py::str>(key) || !b.contains(key) || !is_key(key.cast<std::string>())) return false;
    }
    return true;
  }

  /// Whether two values are the same JSON, by a quick test. Compares the types because 1 == True in Python.
  static bool same(const py::handle& a, const py::handle& b) {
    return a.is(b) || (Py_TYPE(a.ptr()) == Py_TYPE(b.ptr()) && is_scalar(a) && a.equal(b));
  }

  /// Obeys Python's recursion limit, because an object may contain itself.
  void compare(const py::handle& first, const py::handle& other, const std::string& path) {
    if (wholes_.empty() && same(first, other)) return;
    if (Py_EnterRecursiveCall(" while questions are compared") != 0) throw py::error_already_set();
    const struct Leave {
      ~Leave() { Py_LeaveRecursiveCall(); }
    } leave;
    compare_plain(plain(first), plain(other), path);
  }

  void compare_plain(const py::object& a, const py::object& b, const std::string& path) {
    if (!wholes_.empty() && wholes_.count(path) > 0) {
      differ(a, b, path);
      return;
    }
    if (same(a, b)) return;
    if (py::isinstance<py::dict>(a) && py::isinstance<py::dict>(b)) {
      const auto left = py::reinterpret_borrow<py::dict>(a), right = py::reinterpret_borrow<py::dict>(b);
      if (same_keys(left, right)) {
        for (const auto& [key, value] : left)
          compare(value, right[key], path + (path.empty() ? "" : ".") + key.cast<std::string>());
        return;
      }
    } else if (py::isinstance<py::list>(a) && py::isinstance<py::list>(b) && path == "attacks") {
      const auto left = py::reinterpret_borrow<py::list>(a), right = py::reinterpret_borrow<py::list>(b);
      if (left.size() == right.size()) {
        for (std::size_t i = 0; i < left.size(); ++i) compare(left[i], right[i], path + "[" + std::to_string(i) + "]");
        return;
      }
    }
    differ(a, b, path);
  }

  void differ(const py::handle& a, const py::handle& b, const std::string& path) {
    if (path.empty()) throw py::value_error("the questions have different keys; give all the same keys");
    const auto [at, fresh] = paths_.emplace(path, axes_.size());
    if (fresh) {
      Axis& axis = axes_.emplace_back();
      axis.path = path;
      axis.values.append(a);
      axis.numbers.emplace(json_of(a), 0);
    }
    Axis& axis = axes_[at->second];
    const auto [number, unknown] = axis.numbers.emplace(json_of(b), axis.values.size());
    if (unknown) axis.values.append(b);
    if (number->second > 0) found_.emplace_back(at->second, number->second);
  }

  std::string json_of(const py::handle& value) const {
    if (PyLong_CheckExact(value.ptr())) return py::str(value).cast<std::string>();
    return json_(value).cast<std::string>();
  }

  py::function plain_, json_;
  py::dict first_;
  std::set<std::string> wholes_;  ///< paths whose values are compared as a whole
  std::vector<Axis> axes_;
  std::unordered_map<std::string, std::size_t> paths_;
  std::vector<Item> items_;
  Item found_;
};

}  // namespace

py::tuple grid_of(const py::list& questions, const py::function& plain, const py::function& json) {
  Differences out(questions[0], plain, json);
  for (const py::handle& question : questions) out.add(question);
  if (out.needs_second_pass()) {
    for (const py::handle& question : questions) out.add(question);
  }
  return out.result();
}

}  // namespace salvo::python
