#!/usr/bin/env python3
"""The names in namespace jax2onnx, header by header, with the first sentence of their documentation: docs/api.md.

tests/docs/fresh.py --update writes the page, tests/docs/fresh.py compares it with the headers.
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDES = (ROOT / "include/jax2onnx", ROOT / "dsl/include/jax2onnx")

# The rooms in the order in which a reader wants them, and what a program does with them.
ROOMS = {
    "": "Everything",
    "convert": "Texts to models",
    "weights": "Weights files",
    "emit": "Model files",
    "graph": "Graphs",
    "operators": "Operators",
    "facts": "What is known of a value",
    "ops": "Verbs",
    "dsl": "Models by hand",
    "lower": "Lowerers of your own",
    "rewrite": "Rewrites",
    "support": "Errors, bytes, progress",
}

HEAD = """# The public surface

Written by `tests/docs/fresh.py --update` from the headers.

What is listed here is in namespace `jax2onnx` and keeps its meaning within a major version
([CONTRIBUTING.md](../CONTRIBUTING.md)). Everything else may change at any time: `jax2onnx::detail`, and
`jax2onnx::lower` and `jax2onnx::rewrite`, which are for those who extend the converter. `scripts/docs` builds the
whole reference: errors, lifetimes and thread-safety of each function.

- **Errors.** Whatever the library throws on purpose is a `jax2onnx::error`: `kind()` says why, `diagnostics()` has
  every problem.
- **Lifetime.** A `conversion` owns its text, a `graph` what it views. Weights view their files, which stay open as
  long as they are used. A `value` is a handle: it is valid as long as its graph lives, also after the graph has
  moved.
- **Threads.** The library has no state of its own: different objects may be used in different threads at once. One
  object may be read by several threads; a thread that changes it must be alone.
- **Cost.** The target `jax2onnx::compiled` makes an include cost declarations only; `scripts/include-cost` measures
  it.
"""

TYPE = re.compile(r"(?:template <.*> *)?(?:class|struct|enum class|concept|using) (\w+)(?!\w|::)")
FUNCTION = re.compile(r"(?:[\w:<>,&*\[\]. ]|\.\.\.)*?\b(operator\S+?|\w+)\(")


def declared(line):
    """The name that a line at namespace scope declares, or None."""
    line = re.sub(r"^(?:template <.*?>\s+)?(?:requires\(.*?\)+\s+)?", "", line)
    line = re.sub(r"^(?:inline|constexpr|consteval|JAX2ONNX_INLINE|\[\[noreturn\]\]) (?:constexpr )?", "", line)
    if found := TYPE.match(line):
        return None if line.rstrip().endswith(";") and line.startswith(("class", "struct")) else found[1]
    if line.startswith(("return", "namespace", "static_assert", "requires", "template", "friend")):
        return None
    found = FUNCTION.match(line)
    if not found or " " not in line[: found.start(1)].rstrip() + " " or line[: found.start(1)].endswith("::"):
        return None  # members defined outside of their class have their comments there
    return f"{found[1]}()"


def first_sentence(comment):
    paragraph = comment[: comment.index("")] if "" in comment else comment
    text = " ".join(paragraph).strip()
    return re.split(r"(?<=[.:]) (?=[A-Z`])", text, maxsplit=1)[0].rstrip(":").replace("|", "\\|")


def names(path):
    """(name, first sentence) of what a header declares in jax2onnx itself; a comment above `@{` is for a group."""
    scope, comment, group, found = [], [], [], {}
    for line in path.read_text().splitlines():
        if opened := re.match(r"(?:inline )?namespace ([\w:]+) \{", line):
            scope.append("" if line.startswith("inline") else opened[1])
            comment = []
            if line.rstrip().endswith("}"):
                scope.pop()
        elif line.startswith("}  // namespace"):
            scope.pop()
        elif line.startswith("/// @"):
            group = comment if line == "/// @{" else []
        elif line.startswith("///"):
            comment.append(line.removeprefix("///").strip())
        elif line and not line[0].isspace() and line[0] not in "}#/":
            if [s for s in scope if s] == ["jax2onnx"] and (name := declared(line)) and not found.get(name):
                found[name] = first_sentence(comment or group)
            if line.endswith((";", "}", "{")):
                comment = []
        elif not line:
            comment = []
    return found


def page():
    out = HEAD
    for room, title in ROOMS.items():
        section = ""
        for include in INCLUDES:
            for path in sorted((include / room).glob("*.hpp") if not room else (include / room).rglob("*.hpp")):
                if path.name.endswith(".inl.hpp") or not (listed := names(path)):
                    continue
                section += f"\n### `<jax2onnx/{path.relative_to(include)}>`\n\n| name | |\n| --- | --- |\n"
                section += "".join(f"| `{name}` | {what} |\n" for name, what in listed.items())
        if section:
            out += f"\n## {title}\n{section}"
    return out


if __name__ == "__main__":
    print(page(), end="")
