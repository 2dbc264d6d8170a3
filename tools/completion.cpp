#include "completion.hpp"

#include "arguments.hpp"

#include <fmt/format.h>

namespace cli {
namespace {

/// `text` within single quotes of a shell.
std::string quoted_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\n') out += ' ';
    else if (c == '\'') out += "'\\''";
    else out += c;
  }
  return out + "'";
}

std::string fish_script() {
  std::string script = "complete -c jax2onnx -F\n";
  for (const option_summary& o : option_summaries()) {
    script += fmt::format("complete -c jax2onnx -l {}", o.name.substr(2));
    if (!o.short_name.empty()) script += fmt::format(" -s {}", o.short_name.substr(1));
    if (!o.choices.empty())
      script += fmt::format(" -x -a {}", quoted_word(fmt::format("{}", fmt::join(o.choices, " "))));
    else if (o.takes_value) script += " -r";
    script += fmt::format(" -d {}\n", quoted_word(o.meaning));
  }
  return script;
}

/// The value of an option is completed after `--option` and after `--option=`, which bash makes words of its own.
std::string bash_script() {
  std::string names, cases;
  for (const option_summary& o : option_summaries()) {
    names += (names.empty() ? "" : " ") + o.name;
    if (!o.choices.empty())
      cases += fmt::format("    {}) COMPREPLY=($(compgen -W {} -- \"$word\")); return ;;\n", o.name,
                           quoted_word(fmt::format("{}", fmt::join(o.choices, " "))));
  }
  return "_jax2onnx() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  [[ $word == = ]] && word=\n"
         "  [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
         "  [[ ${COMP_WORDS[COMP_CWORD]} == = ]] && before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  case $before in\n" +
         cases +
         "  esac\n"
         "  if [[ $word == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W " +
         quoted_word(names) +
         " -- \"$word\"))\n"
         "  else\n"
         "    local IFS=$'\\n'\n"
         "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _jax2onnx jax2onnx\n";
}

}  // namespace

std::string completion_script(const std::string& shell) {
  if (shell == "fish") return fish_script();
  return shell == "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" + bash_script() : bash_script();
}

}  // namespace cli
