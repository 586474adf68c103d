// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/help.h"
#include "report/version.h"

namespace agon::cli {
namespace {

/// Text as groff reads it.
std::string escaped(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_first = i == 0 || text[i - 1] == '\n';
    if (is_first && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

constexpr const char* kIntroduction =
    R"(.SH DESCRIPTION
Agon decides by games whether C code conforms to a state machine: proves it for
all executions, or shows one that does not. It finds assertions that can fail,
checks C modules against every client and programs of several components, and
compares labelled transition systems.
.PP
The verdict and what explains it go to standard output, progress and messages to
standard error.
)";

constexpr const char* kCompiler =
    R"(.SH OPTIONS FOR THE COMPILER
Commands that read C take
.BR \-I ", " \-isystem ", " \-iquote ", " \-D ", " \-U ", " \-include ", " \-std
and
.B \-\-extra\-arg
as clang does, and whatever follows
.BR \-\- .
.BR \-m32 " and " \-m64
are short for
.BR "\-\-data\-model ILP32" " and " "\-\-data\-model LP64" .
)";

constexpr const char* kEnd =
    R"(.SH EXIT STATUS
.TP
.B 0
It holds, or the work is done and there was nothing to decide.
.TP
.B 1
It is violated.
.TP
.B 2
Bad usage or bad input.
.TP
.B 3
Unknown: mostly a limit on time, memory or iterations was reached.
.TP
.B 4
An internal error.
.PP
Where there are several targets, the first of these decides: violated, internal
error, bad input, unknown, holds.
.SH ENVIRONMENT
.TP
.B NO_COLOR
If it is set, text is not coloured unless
.B \-\-color=always
says so.
.SH SIGNALS
.TP
.B SIGINT, SIGTERM
Ask for an answer with what is known; a second one kills.
.TP
.B SIGUSR1
Prints a line that says how far the work is.
.SH SEE ALSO
.BR agon\-certify (1),
and the documents in
.IR /usr/share/doc/agon .
)";

std::string command_section(const std::string& name, const CLI::App& command) {
  std::string text = fmt::format(".SS agon {}\n{}\n", escaped(name),
                                 escaped(command.get_description()));
  for (const CLI::Option* const option : command.get_options()) {
    const std::string type =
        option->get_positional() || option->get_type_size() == 0
            ? ""
            : " \\fI" + escaped(option->get_type_name()) + "\\fR";
    const std::string shown = option->get_positional()
                                  ? option->get_name(true, false)
                                  : option->get_name(false, true);
    text += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", escaped(shown), type,
                        escaped(option->get_description()));
  }
  return text;
}

}  // namespace

std::string manual_page(const CLI::App& app) {
  std::string synopsis;
  std::string sections;
  for (const auto& [name, command] : commands_of(app)) {
    if (!command->get_subcommands({}).empty()) continue;
    synopsis +=
        fmt::format(".br\n.B agon {}\n.RI [ options ]\n", escaped(name));
    for (const CLI::Option* const option : command->get_options()) {
      if (!option->get_positional()) continue;
      synopsis +=
          fmt::format(".I {}\n", escaped(option->get_name(true, false)));
    }
    sections += command_section(name, *command);
  }
  return fmt::format(
      ".\\\" Made from the option tables of agon.\n"
      ".TH AGON 1 \"\" \"agon {}\" \"User Commands\"\n"
      ".SH NAME\nagon \\- decides by games what C code does\n"
      ".SH SYNOPSIS\n{}{}.SH COMMANDS\n{}{}{}",
      report::kVersion, synopsis, kIntroduction, sections, kCompiler, kEnd);
}

}  // namespace agon::cli
