// SPDX-License-Identifier: Apache-2.0
#include "completion.hpp"

#include "arguments.hpp"

#include <fmt/format.h>

namespace cli {
namespace {

/// `text` in single quotes, on one line. `quote` replaces each single quote in `text`.
std::string in_quotes(std::string_view text, std::string_view quote) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\n') out += ' ';
    else if (c == '\'') out += quote;
    else out += c;
  }
  return out + "'";
}
/// `text` in single quotes for bash, zsh and fish.
std::string quoted_word(std::string_view text) { return in_quotes(text, "'\\''"); }

std::string choices_of(const option_summary& o) { return fmt::format("{}", fmt::join(o.choices, " ")); }

std::string fish_script() {
  std::string script = "complete -c jax2onnx -F\n";
  for (const option_summary& o : option_summaries()) {
    script += fmt::format("complete -c jax2onnx -l {}", o.name.substr(2));
    if (!o.short_name.empty()) script += fmt::format(" -s {}", o.short_name.substr(1));
    if (o.takes_value && !o.may_be_bare) script += " -r";
    if (!o.choices.empty()) script += fmt::format(" -f -a {}", quoted_word(choices_of(o)));
    script += fmt::format(" -d {}\n", quoted_word(o.meaning));
  }
  return script;
}

/// A script for bash. The script completes the value of an option after `--option=`, which bash splits into two words,
/// and after `--option` unless the value is optional.
std::string bash_script() {
  std::string names, cases;
  for (const option_summary& o : option_summaries()) {
    names += (names.empty() ? "" : " ") + o.name;
    if (!o.choices.empty())
      cases += fmt::format("    {}{}=) COMPREPLY=($(compgen -W {} -- \"$word\")); return ;;\n",
                           o.may_be_bare ? "" : o.name + "|", o.name, quoted_word(choices_of(o)));
  }
  return "_jax2onnx() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  [[ $word == = ]] && word=\n"
         "  [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}=\n"
         "  [[ ${COMP_WORDS[COMP_CWORD]} == = ]] && before=${COMP_WORDS[COMP_CWORD-1]}=\n"
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

/// A specification for _arguments of zsh: the name of an option, its meaning in brackets, how to complete its value.
std::string zsh_specification(const option_summary& o, std::string_view name, std::string_view separator) {
  std::string meaning;
  for (const char c : o.meaning)
    meaning += c == '[' || c == ']' || c == ':' ? fmt::format("\\{}", c) : std::string(1, c);
  const std::string value = o.choices.empty() ? "_files" : fmt::format("({})", choices_of(o));
  return quoted_word(fmt::format("{}{}{}[{}]{}", o.repeatable ? "*" : "", name, separator, meaning,
                                 o.takes_value ? fmt::format("{}value:{}", o.may_be_bare ? "::" : ":", value) : ""));
}

std::string zsh_script() {
  std::string script =
      "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n"
      "_jax2onnx() {\n"
      "  _arguments \\\n";
  for (const option_summary& o : option_summaries()) {
    if (!o.short_name.empty()) script += fmt::format("    {} \\\n", zsh_specification(o, o.short_name, ""));
    script += fmt::format("    {} \\\n", zsh_specification(o, o.name, o.may_be_bare ? "=-" : o.takes_value ? "=" : ""));
  }
  return script +
         "    '*:model:_files'\n"
         "}\n"
         "compdef _jax2onnx jax2onnx\n";
}

/// A script for PowerShell, which completes the names of files if the script has no suggestions.
std::string powershell_script() {
  const auto quoted = [](std::string_view text) { return in_quotes(text, "''"); };
  std::string meanings, values;
  for (const option_summary& o : option_summaries()) {
    meanings += fmt::format("    {} = {}\n", quoted(o.name), quoted(o.meaning));
    if (o.choices.empty()) continue;
    values += fmt::format("    {} = ", quoted(o.name + (o.may_be_bare ? "=" : "")));
    for (const std::string& choice : o.choices) values += (&choice == &o.choices.front() ? "" : ", ") + quoted(choice);
    values += '\n';
  }
  return "Register-ArgumentCompleter -Native -CommandName jax2onnx -ScriptBlock {\n"
         "  param($word, $command, $cursor)\n"
         "  $meanings = [ordered]@{\n" +
         meanings +
         "  }\n"
         "  $values = @{\n" +
         values +
         "  }\n"
         "  $words = @($command.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor })\n"
         "  $option = \"$($words[-1])\"\n"
         "  $prefix = ''\n"
         "  if ($word -match '^(--[^=]+)=') {\n"
         "    $prefix = $Matches[0]\n"
         "    $option = if ($values.Contains($prefix)) { $prefix } else { $Matches[1] }\n"
         "  }\n"
         "  if ($values.Contains($option)) {\n"
         "    $kind = 'ParameterValue'\n"
         "    $found = $values[$option]\n"
         "  } elseif (\"$word\".StartsWith('-')) {\n"
         "    $kind = 'ParameterName'\n"
         "    $found = $meanings.Keys\n"
         "  } else { return }\n"
         "  $found | Where-Object { \"$prefix$_\".StartsWith(\"$word\") } | ForEach-Object {\n"
         "    $tip = if ($meanings.Contains($_)) { $meanings[$_] } else { $_ }\n"
         "    [System.Management.Automation.CompletionResult]::new(\"$prefix$_\", $_, $kind, $tip)\n"
         "  }\n"
         "}\n";
}

}  // namespace

std::string completion_script(const std::string& shell) {
  if (shell == "fish") return fish_script();
  if (shell == "zsh") return zsh_script();
  return shell == "powershell" ? powershell_script() : bash_script();
}

}  // namespace cli
