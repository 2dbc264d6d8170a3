# SPDX-License-Identifier: Apache-2.0
"""The types that a printed jaxpr declares for its operands and results, read without the parser of the library."""

import re

colors = re.compile(r"\x1b\[[\d;]*m")
named = re.compile(r"(?<![\w.])(\w+):((?:Ref\{)?[A-Za-z_]\w*(?:<[\w ]+>)?(?:\[[^\]]*\])?\}?)")
atom = re.compile(r"([^\s,()]+|\([^()]*j\))(?::([A-Za-z_]\w*(?:<\w+>)?\[[^\]]*\]))?")
words = {
    "key<fry>": 2,
    "key<rbg>": 4,
    "key<urbg>": 4,
    "key<fry4>": 4,
    "key<phx2>": 1,
    "key<phx4>": 2,
    "c64": 2,
    "c128": 2,
}


def main_body(text):
    """The text between the braces of the last jaxpr at the top level."""
    depth, begin, found = 0, 0, ""
    for i, c in enumerate(text):
        if c == "{":
            begin = i + 1 if depth == 0 else begin
            depth += 1
        elif c == "}":
            depth -= 1
            found = text[begin:i] if depth == 0 else found
    return found


def without_inner(text):
    """The text without its parts in braces."""
    out, depth = [], 0
    for c in text:
        depth += c == "{"
        out.append(c if depth == 0 else "")
        depth -= c == "}"
    return "".join(out)


def result_types(text):
    """The types of the main jaxpr's results, in order: `f32[2,b]`; None for one that is not found."""
    own = without_inner(main_body(colors.sub("", text)))
    bound = dict(named.findall(own))
    results = own[own.rindex("in (") + 4 : own.rindex(")")]
    return [kind or bound.get(name) for name, kind in atom.findall(results)]


def nests(text):
    """Returns whether braces are in pairs. Braces in strings that a parameter quotes may not be."""
    return text.count("{") == text.count("}")


def extent(expression, sizes):
    names = {"floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b, "max": max, "min": min, **sizes}
    return eval(expression.replace("^", "**"), {"__builtins__": {}}, names)


def symbols_of(printed):
    """The symbols in the extents of a type."""
    extents = printed.partition("[")[2]
    return set(re.findall(r"[A-Za-z_]\w*", extents)) - {"floordiv", "mod", "max", "min"}


def split_type(printed):
    """`f32[2,max(b, 1)]` as ("f32", ["2", "max(b, 1)"]). Memory spaces and shardings are dropped: `f32<host>[6@i]`."""
    element, _, dims = printed.partition("[")
    parts = re.split(r",(?![^()]*\))", dims.rstrip("]"))
    element = element if element in words else element.partition("<")[0]
    return element, [p.partition("@")[0].strip() for p in parts if p.strip()]


def shape_in_onnx(printed, sizes):
    """The extents of the model's tensor, where the parts of complex numbers and keys are a trailing axis."""
    element, dims = split_type(printed)
    return [extent(d, sizes) for d in dims] + ([words[element]] if element in words else [])
