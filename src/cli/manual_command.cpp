// `salvo completions` and `salvo man`: print the files to install for shells and man.
#include <memory>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/manual.h"
#include "cli/terminal.h"
#include "salvo/version.h"

namespace salvo::cli {
namespace {

Task printed(std::string text) {
  return {{}, [text = std::move(text)] {
            write_output(text);
            return kSuccess;
          }};
}

}  // namespace

DeclaredCommand add_completions(CLI::App& top) {
  CLI::App& app = add_command(top, "completions", "Completions for a shell: bash, zsh or fish.",
                              "\nExamples:\n"
                              "  salvo completions bash > ~/.local/share/bash-completion/completions/salvo\n"
                              "  salvo completions zsh > ~/.zfunc/_salvo\n"
                              "  salvo completions fish > ~/.config/fish/completions/salvo.fish");
  const auto shell = std::make_shared<std::string>();
  add_words(app, "SHELL", *shell, "bash, zsh or fish");
  return {&app, [&top, shell] {
            parse_name("SHELL", *shell, {"bash", "zsh", "fish"});
            return printed(completion(describe_commands(top), *shell));
          }};
}

DeclaredCommand add_man(CLI::App& top) {
  CLI::App& app = add_command(top, "man", "The manual page.",
                              "\nExamples:\n"
                              "  salvo man | man -l -\n"
                              "  salvo man > ~/.local/share/man/man1/salvo.1");
  return {&app, [&top] { return printed(man_page(describe_commands(top), build_info().version)); }};
}

}  // namespace salvo::cli
