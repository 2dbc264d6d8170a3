# SPDX-License-Identifier: Apache-2.0
"""Writes programs from templates: Python text in which {...} is an argument or a parameter to draw.

    {f}          an array of floating-point numbers of any shape: a new argument, or an existing value of the program
    {f[n,m]}     of this shape: a letter is the same extent everywhere in the template, * is any leading axes
    {f:unit=a}   with values from this row of program.VALUES, and with a name
    {a}          the array called a again
    {~a}         an array of the shape and type of a; {~a[n]} of its type; {f~a} of its shape
    {axis}       an axis of the last array, or of the array called a: {axis a}, positive or negative
    {axes}       None, an axis, or a tuple of axes
    {2..5}       an integer
    {bool}       True or False
    {x|y|z}      one of these texts, which may contain placeholders
    {=n}         the extent of the letter n

Classes of arrays: f floating-point, i integer, b bool, c complex, z floating-point or complex, n f or i, x any, k keys;
or a dtype, float32[3].
"""

import dataclasses
import re

import jax

from program import argument, compiled, dtype_of, spec_of

CLASSES = {  # dtypes with their weights; 64-bit ones are for programs with x64
    "f": {"float32": 12, "float64": 12, "float16": 1, "bfloat16": 1},
    "i": {"int32": 8, "int64": 6, "int8": 1, "uint8": 1, "uint32": 1, "int16": 1, "uint16": 1, "uint64": 1},
    "b": {"bool": 1},
    "c": {"complex64": 1, "complex128": 1},
}
CLASSES["n"] = {**CLASSES["f"], "int32": 3, "int64": 2, "int8": 1, "uint8": 1, "uint32": 1}
CLASSES["z"] = {**CLASSES["f"], "complex64": 3, "complex128": 3}
CLASSES["x"] = {**CLASSES["n"], "bool": 2, "complex64": 1, "complex128": 1}
WIDE = {"float64", "int64", "uint64", "complex128"}
EXTENTS = [3, 2, 4, 1, 5, 3, 2, 4, 6, 3, 2, 1, 4, 2, 3, 0]
LETTER_EXTENTS = [e for e in EXTENTS if e]
DEFAULT_VALUES = ["plain"] * 8 + ["ties", "halves", "edges", "large", "small", "positive"]
ARRAY = re.compile(r"(~?[A-Za-z]\w*)(?:~(\w+))?(?:\[([^\]]*)\])?(?::([\w. -]+?))?(?:=(\w+))?")


class unwritable(Exception):
    """A template does not fit the existing values."""


@dataclasses.dataclass(frozen=True)
class value:
    """A variable of the program."""

    name: str
    dtype: str
    shape: tuple


class writer:
    def __init__(self, choices, x64=False, symbols=()):
        self.choices, self.x64, self.symbols = choices, x64, symbols
        self.arguments, self.lines, self.values = [], [], []
        self.names, self.letters, self.last = {}, {}, None
        self.scope = jax.export.SymbolicScope()
        self.reuse = False

    # Drawing. Programs shrink towards the first item of a list and the smallest number.

    def one_of(self, what):
        return what[0] if len(what) == 1 else what[self.choices.below(len(what))]

    def integer(self, low, high):
        return low + self.choices.below(high - low + 1)

    def chance(self, one_in):
        return self.integer(0, one_in - 1) == one_in - 1

    def dtype(self, kind):
        if kind not in CLASSES:
            if len(kind) < 4:
                raise ValueError(f"neither a class nor a dtype: {kind}")
            return kind
        weighted = CLASSES[kind].items()
        return self.one_of([d for d, weight in weighted if self.x64 or d not in WIDE for _ in range(weight)])

    def extent(self, choices=EXTENTS):
        if self.symbols and self.chance(3):
            return self.one_of(self.symbols)
        return self.one_of(choices)

    def shape(self, text):
        if text is None:
            return tuple(self.extent() for _ in range(self.one_of([2, 1, 3, 2, 0, 4, 2, 1, 3])))
        shape = []
        for item in filter(None, (s.strip() for s in text.split(","))):
            if item == "*":
                shape += [self.extent(LETTER_EXTENTS) for _ in range(self.one_of([0, 1, 0, 2]))]
            elif item == "+":
                shape += [self.extent() for _ in range(self.one_of([1, 2, 3]))]
            elif item.isdigit():
                shape.append(int(item))
            else:
                shape.append(self.letter(item))
        return tuple(shape)

    def letter(self, name):
        if name not in self.letters:
            self.letters[name] = self.extent(LETTER_EXTENTS)
        return self.letters[name]

    # Templates.

    def fill(self, template):
        """The template with its placeholders drawn, from left to right."""
        filled, at = "", 0
        while (start := template.find("{", at)) >= 0:
            end = closing(template, start)
            filled += template[at:start] + self.placeholder(template[start + 1 : end])
            at = end + 1
        return filled + template[at:]

    def write(self, template):
        """Fills a template of one or more lines. All except the last become lines of the program."""
        self.names, self.letters, self.last = {}, {}, None
        *statements, result = self.fill(template.strip()).split("\n")
        self.lines += statements
        return result

    def placeholder(self, text):
        if len(alternatives := split(text)) > 1:
            return self.fill(self.one_of(alternatives))
        text = self.fill(text)
        if bounds := re.fullmatch(r"(-?\d+)\.\.(-?\d+)", text):
            return str(self.integer(int(bounds[1]), int(bounds[2])))
        if text == "bool":
            return self.one_of(["False", "True"])
        if text.startswith("="):
            return str(self.fixed(self.letters[text[1:]]))
        if parameter := re.fullmatch(r"(axis|axes)( \w+)?", text):
            of = self.names[parameter[2].strip()] if parameter[2] else self.last
            return self.axis(of) if parameter[1] == "axis" else self.axes(of)
        return self.array(text)

    def fixed(self, extent):
        if isinstance(extent, str):
            raise unwritable("a symbolic extent where a number is needed")
        return extent

    def axis(self, of):
        rank = len(of.shape)
        if not rank:
            raise unwritable("an axis of a scalar")
        return str(self.integer(0, rank - 1) - self.one_of([rank, 0]))

    def axes(self, of):
        rank = len(of.shape)
        if not rank or self.chance(4):
            return "None"
        if self.chance(2):
            return self.axis(of)
        chosen = [a for a in range(rank) if self.chance(2)] or [rank - 1]
        return "(" + "".join(f"{a - self.one_of([0, rank])}, " for a in chosen) + ")"

    def array(self, text):
        match = ARRAY.fullmatch(text)
        if not match:
            raise ValueError(f"what is {{{text}}}?")
        kind, like, shape, values, name = match.groups()
        if kind in self.names and not shape and not values:
            return self.names[kind].name
        if kind.startswith("~"):
            dtype, shape = (
                self.names[kind[1:]].dtype,
                self.names[kind[1:]].shape if shape is None else self.shape(shape),
            )
        else:
            dtype, shape = kind, self.names[like].shape if like else shape if shape is None else self.shape(shape)
        self.last = self.existing(dtype, shape, values) or self.new(dtype, shape, values)
        if name:
            self.names[name] = self.last
        return self.last.name

    def existing(self, kind, shape, values):
        """An existing variable that fits, so that programs become compositions."""
        if not self.reuse or values or kind == "k":
            return None
        dtypes = CLASSES.get(kind, {kind: 1})
        fitting = [v for v in self.values if v.dtype in dtypes and (shape is None or v.shape == shape)]
        return self.one_of(fitting[::-1][:3]) if fitting and not self.chance(8) else None

    def new(self, kind, shape, values=None):
        dtype = "key" if kind == "k" else self.dtype(kind)
        if shape is None:
            shape = () if dtype == "key" else self.shape(None)
        if any(isinstance(extent, str) and extent not in self.symbols for extent in shape):
            raise unwritable("an argument with an extent that is computed")
        values = values or ("plain" if dtype in ("key", "bool") else self.one_of(DEFAULT_VALUES))
        made = argument(f"a{len(self.arguments)}", dtype, tuple(shape), values, self.integer(0, 999))
        self.arguments.append(made)
        self.values.append(value(made.name, dtype, made.shape))
        return self.values[-1]

    # Compositions.

    def step(self, template):
        """Writes `v = template` if JAX can infer its type."""
        before = len(self.lines), len(self.arguments), len(self.values)
        try:
            result = self.write(template)
            name = f"v{len(self.lines)}"
            self.lines.append(f"{name} = {result}")
            made = self.typed(name)
        except Exception:  # JAX raises various exceptions for parameters that do not fit
            del self.lines[before[0] :], self.arguments[before[1] :], self.values[before[2] :]
            return
        self.values += made

    def typed(self, name):
        """The values of the variable: an array, or the arrays of a tuple."""
        names = ", ".join(a.name for a in self.arguments)
        function = compiled(f"def f({names}):\n" + "".join(f"  {line}\n" for line in self.lines) + f"  return {name}")
        with jax.enable_x64(self.x64):
            result = jax.eval_shape(function, *(spec_of(a, self.scope) for a in self.arguments))
        if hasattr(result, "shape"):
            return [value(name, dtype_name(result.dtype), shape_of(result))]
        return [value(f"{name}[{i}]", dtype_name(r.dtype), shape_of(r))
                for i, r in enumerate(result) if hasattr(r, "shape")]  # fmt: skip


def closing(text, start):
    """The end of the brace that opens at `start`."""
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] == "{") - (text[index] == "}")
        if not depth:
            return index
    raise ValueError(f"no closing brace: {text}")


def split(text):
    """The alternatives of a placeholder."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if character == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def shape_of(result):
    return tuple(d if isinstance(d, int) else str(d) for d in result.shape)


def dtype_name(dtype):
    return "key" if jax.dtypes.issubdtype(dtype, jax.dtypes.prng_key) else dtype_of(dtype).name
