// The commands of described questions: options become the tree that a request would be, and the answer is printed.
#include "cli/question_command.h"

#include <fmt/format.h>

#include <limits>
#include <mutex>

#include "base/text.h"
#include "cli/answer_output.h"
#include "cli/commands.h"
#include "cli/features.h"
#include "cli/interrupt.h"
#include "cli/status_line.h"
#include "data/message.h"

namespace salvo::cli {
namespace {

using data::Value;
using questions::Field;
using questions::Kind;

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
    case Kind::Object:
      break;
  }
  return Value::of(typed.text);
}

/// Throws UsageError if a required operand is missing, or if there is neither a scenario nor SPECs, or both.
void check_given(const TypedQuestion& typed, const CLI::App& app) {
  const TypedField* scenario = nullptr;
  const Field* rival = nullptr;  // SPECs that state a scenario, too
  bool asked = true, specs = false;
  for (const TypedField& one : typed.fields) {
    const Field& field = *one.field;
    const bool is_given = given(app, field.long_option().c_str());
    if (field.kind == Kind::Scenario) scenario = &one;
    if (field.kind == Kind::Scenario || field.required) asked = asked && is_given;
    if (field.kind != Kind::Specs || !is_given) continue;
    specs = true;
    if (rival == nullptr && !field.or_number) rival = &field;
  }
  if (scenario == nullptr) specs = false;
  if (asked && specs && rival != nullptr) fail_both(scenario->text, rival->long_option());
  if (!asked && !specs) throw UsageError(typed.question->missing);
}

void declare_all(CLI::App& app, TypedFields& typed) {
  for (const Field& field : typed.asked.list->fields()) {
    if (field.name.option != nullptr) declare(app, typed.fields.emplace_back(TypedField{&field}));
  }
}

}  // namespace

void add_fields(CLI::App& app, TypedFields& typed,
                const std::function<void(questions::ScenarioQuestion&, questions::FieldList&)>& describe) {
  const auto question = std::make_shared<questions::ScenarioQuestion>();
  const auto list = std::make_shared<questions::FieldList>(true);
  question->answer.overrides.as_options = true;
  describe(*question, *list);
  typed.asked = {question, list, {}};
  declare_all(app, typed);
}

CommandOptions read_fields(TypedFields& typed, const CLI::App& app) {
  CommandOptions out = output_options(typed, app);
  questions::Common& common = *typed.asked.common;
  common.answer.target = chosen_target(app, typed.target);
  Value tree = Value::table();
  for (const TypedField& one : typed.fields) {
    if (given(app, one.field->long_option().c_str())) tree.add(one.field->option_member(), value_of(one));
  }
  questions::read(std::move(tree), data::kOptions, *typed.asked.list);
  out.answer = common.answer;
  out.card_files = common.cards;
  return out;
}

CLI::App& declare_question(CLI::App& top, const questions::Question& question, TypedQuestion& typed) {
  CLI::App& app = add_command(top, question.name, question.what, question.footer);
  typed.question = &question;
  typed.asked = question.begin(true);
  declare_all(app, typed);
  if (question.may_take_long) add_machine_options(app, typed);
  add_output_options(app, typed,
                     question.has_csv ? "table, json or csv (default: table on a terminal)"
                                      : "table or json (default: table on a terminal)");
  add_file_options(app, typed, question.plot, question.page);
  if (question.may_take_long) add_progress_option(app, typed);
  return app;
}

CommandOptions read_question(TypedQuestion& typed, const CLI::App& app) {
  require_features_of(typed.question->name);
  check_given(typed, app);
  CommandOptions out = read_fields(typed, app);
  if (out.format == Format::Csv && !typed.question->has_csv)
    throw UsageError(fmt::format("--format: {} prints table or json", typed.question->name));
  return out;
}

int ask_question(TypedQuestion& typed, CommandOptions options) {
  end_on_interrupt();
  questions::Common& common = *typed.asked.common;
  common.picture = options.plot.has_value();
  common.equilibrium = equilibrium_solver();
  const Catalogue catalogue = open_catalogue(options);
  common.answer.overrides.rules = options.answer.overrides.rules;  // --rules FILE became an id
  std::optional<Progress> progress;
  std::once_flag begun;
  if (typed.question->working != nullptr) {
    progress.emplace(Work{typed.question->working, typed.question->units});
    // Before that, Ctrl-C ends the program: there is nothing to print yet, and the exact engine cannot be stopped.
    common.answer.sampling_begins = [&] {
      std::call_once(begun, [&] {
        progress->start();
        collect_interrupts();
      });
    };
    common.answer.progress = [&](std::uint64_t done, std::uint64_t planned) {
      common.answer.sampling_begins();
      progress->update(done, planned);
      return !interrupted();
    };
  }
  const questions::Answer answer = typed.asked.ask(catalogue);
  progress.reset();
  return print_answer(answer, options);
}

DeclaredCommand add_question(CLI::App& top, const questions::Question& question) {
  const auto typed = std::make_shared<TypedQuestion>();
  CLI::App& app = declare_question(top, question, *typed);
  return {&app, [&app, typed] {
            const CommandOptions options = read_question(*typed, app);
            return Task{options, [typed, options] { return ask_question(*typed, options); }};
          }};
}

}  // namespace salvo::cli
