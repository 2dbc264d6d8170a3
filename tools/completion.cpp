#include "completion.hpp"

#include <fmt/format.h>

#include "arguments.hpp"

namespace cli {

std::string completion_script(const std::string& shell) {
  if (shell == "fish") {
    std::string script;
    for (const std::string& option : long_options()) script += fmt::format("complete -c jax2onnx -l {}\n", option.substr(2));
    return script;
  }
  const std::string bash = fmt::format(
      "_jax2onnx() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}}\n"
      "  if [[ $word == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _jax2onnx jax2onnx\n",
      fmt::join(long_options(), " "));
  return shell == "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" + bash : bash;
}

}  // namespace cli
