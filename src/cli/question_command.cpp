// The commands of described questions: options become the tree that a request would be, and the answer is printed.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>

#include "base/text.h"
#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "data/message.h"
#include "jobs/atomic_file.h"
#include "questions/question.h"

namespace salvo::cli {
namespace {

using data::Value;
using questions::Field;
using questions::Kind;

/// A field and what was typed for it.
struct TypedField {
  const Field* field;
  std::string text = {};
  std::vector<std::string> list = {};
  bool flag = false;
};

struct TypedQuestion : RunTexts {
  const questions::Question* question;
  questions::OpenQuestion asked;
  std::deque<TypedField> fields;  // CLI11 refers to the elements
};

void declare(CLI::App& app, TypedField& typed) {
  const Field& field = *typed.field;
  const auto& [key, option, value, help, meaning] = field.name;
  if (field.is_operand() && field.is_list()) {
    add_words(app, option, typed.list, help);
  } else if (field.is_operand()) {
    add_words(app, option, typed.text, help);
  } else if (field.kind == Kind::Flag) {
    add_flag(app, field.group, option, typed.flag, help);
  } else if (field.is_list()) {
    add_list(app, field.group, option, value, typed.list, help);
  } else {
    add_value(app, field.group, option, value, typed.text, help);
  }
}

/// A number as JSON would have it. Other text stays a text, which the field refuses.
Value number_of(const std::string& text, bool whole) {
  Value out = Value::of(text);
  if (!whole) {
    if (base::parse_real(text)) out.kind = Value::Kind::Real;
    return out;
  }
  const std::optional<std::uint64_t> number = whole_number(text);
  if (!number) return out;
  if (*number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return Value::of(static_cast<std::int64_t>(*number));
  out.kind = Value::Kind::Integer;
  out.huge = true;
  return out;
}

/// {"speed": 3} for "speed=3".
Value numbers_of(const std::string& option, const std::vector<std::string>& words) {
  Value out = Value::table();
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError(fmt::format("{}: {} is not NAME=N, as in speed=3", option, in_quotes(word)));
    const std::string name = word.substr(0, equals);
    if (out.find(name) != nullptr) throw UsageError(fmt::format("{}: {} is given twice", option, in_quotes(name)));
    out.add(name, number_of(word.substr(equals + 1), true));
  }
  return out;
}

Value value_of(const TypedField& typed) {
  switch (typed.field->kind) {
    case Kind::Flag:
      return Value::of(true);
    case Kind::Integer:
    case Kind::Real:
      return number_of(typed.text, typed.field->kind == Kind::Integer);
    case Kind::Words:
      return Value::of(base::joined(typed.list, " "));
    case Kind::Numbers:
      return numbers_of(typed.field->long_option(), typed.list);
    case Kind::Specs:
    case Kind::Items:
    case Kind::Texts: {
      Value out = Value::array();
      for (const std::string& text : typed.list) out.items.push_back(Value::of(text));
      return out;
    }
    case Kind::Choice:
    case Kind::Text:
    case Kind::Squad:
    case Kind::Scenario:
    case Kind::ScenarioKey:
    case Kind::Scalar:
      break;
  }
  return Value::of(typed.text);
}

/// Throws UsageError if a required operand is missing, or if there is neither a scenario nor SPECs, or both.
void check_given(const TypedQuestion& typed, const CLI::App& app) {
  const Field *specs = nullptr, *scenario = nullptr;
  bool asked = true;
  for (const TypedField& one : typed.fields) {
    const Field& field = *one.field;
    const bool is_given = given(app, field.long_option().c_str());
    if (field.kind == Kind::Scenario) scenario = &field;
    if (field.kind == Kind::Scenario || field.required) asked = asked && is_given;
    if (field.kind == Kind::Specs && is_given && specs == nullptr) specs = &field;
  }
  if (scenario == nullptr) specs = nullptr;
  if (asked && specs != nullptr)
    throw UsageError(fmt::format("both a FILE and {}; give one of them", specs->long_option()));
  if (!asked && specs == nullptr) throw UsageError(typed.question->missing);
}

int ask(TypedQuestion& typed, RunOptions options) {
  end_on_interrupt();
  questions::Common& common = *typed.asked.common;
  options.answer.overrides.rules = common.answer.overrides.rules;
  options.card_files = common.cards;
  const Catalogue catalogue = open_catalogue(options);
  common.answer.overrides.rules = options.answer.overrides.rules;  // --rules FILE became an id
  const questions::Answer answer = typed.asked.ask(catalogue);
  write_warnings(answer.warnings);
  if (options.plot) jobs::write_file("--plot", *options.plot, answer.plot());
  write_output(render(answer, options));
  return answer.agree ? kAnswered : kEnginesDisagree;
}

Task task_of(const std::shared_ptr<TypedQuestion>& typed, const CLI::App& app) {
  const RunOptions options = output_options(*typed, app);
  check_given(*typed, app);
  Value tree = Value::table();
  for (const TypedField& one : typed->fields) {
    if (given(app, one.field->long_option().c_str())) tree.add(one.field->option_member(), value_of(one));
  }
  static const std::string source = data::kOptions;
  questions::read(data::Node(tree, source), *typed->asked.list);
  return {options, [typed, options] { return ask(*typed, options); }};
}

}  // namespace

DeclaredCommand add_question(CLI::App& top, const questions::Question& question) {
  CLI::App& app = add_command(top, question.name, question.what, question.footer);
  const auto typed = std::make_shared<TypedQuestion>();
  typed->question = &question;
  typed->asked = question.begin(true);
  for (const Field& field : typed->asked.list->fields()) {
    if (field.name.option != nullptr) declare(app, typed->fields.emplace_back(TypedField{&field}));
  }
  if (question.may_take_long) add_machine_options(app, *typed);
  add_output_options(app, *typed, "table, json or csv (default: table on a terminal)");
  if (question.plot != nullptr) add_plot_option(app, *typed, question.plot);
  if (question.may_take_long) add_progress_option(app, *typed);
  return {&app, [&app, typed] { return task_of(typed, app); }};
}

}  // namespace salvo::cli
