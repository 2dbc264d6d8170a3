# SPDX-License-Identifier: Apache-2.0
"""Changes one token of a printed jaxpr."""

import re

token = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[A-Za-z_][\w.]*(?:<\w+>)?|\S")
number = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")
numbers = (
    "0 1 -1 2 3 5 7 16 33 64 100 4096 65537 2147483647 2147483648 -2147483648 4294967296 9223372036854775807 "
    "99999999999999999999 0.5 1e308 nan inf None True False () (1,) b 2*b"
).split()
elements = (
    "f32 f64 f16 bf16 i8 i16 i32 i64 u8 u16 u32 u64 bool c64 c128 i4 u4 f8_e4m3fn f8_e5m2 f8_e8m0fnu key<fry> float0"
).split()
long_names = (
    "float32 float64 float16 bfloat16 int8 int16 int32 int64 uint8 uint32 uint64 bool complex64 int4 float8_e5m2"
).split()
types = re.compile(r"(?<=:)[a-z]\w*(?:<\w+>)?\[[^\]]*\]")
primitives = re.compile(r"(?<== )[a-z_]\w*")
parameters = re.compile(r"\b[a-z_]\w*=(?:\([^()\[\]{}]*\)|[^\s\[\](){},]+)(?=[\s\]])")
operands = re.compile(r"(?<=[\] ])[a-z]{1,3}(?=[ ;\n])|(?<= )[\w.+-]+:[a-z]\w*\[\]")


def matches(pattern, text):
    return list(re.finditer(pattern, text))


def replaced(text, match, new):
    return text[: match.start()] + new + text[match.end() :]


def exchange(pattern, pool=None):
    """Replaces one match by another one of the text, or by one of the pool."""

    def change(text, rng):
        found = matches(pattern, text)
        others = [m.group() for m in found] if pool is None or rng.random() < 0.3 else pool
        return replaced(text, rng.choice(found), rng.choice(others)) if found else text

    return change


def everywhere(pattern, pool):
    """Changes all matches with the same spelling alike, so that the text can stay consistent."""

    def change(text, rng):
        found = matches(pattern, text)
        if not found:
            return text
        old, new = rng.choice(found).group(), rng.choice(pool)
        return re.sub(pattern, lambda m: new if m.group() == old else m.group(), text)

    return change


def remove(pattern):
    def change(text, rng):
        found = matches(pattern, text)
        return replaced(text, rng.choice(found), "") if found else text

    return change


def double(pattern):
    def change(text, rng):
        found = matches(pattern, text)
        match = rng.choice(found) if found else None
        return replaced(text, match, f"{match.group()} {match.group()}") if match else text

    return change


whole_number = r"(?<![\w.])-?\d+(?![\w.])"
element = r"(?<=:)[a-z]\w*(?:<\w+>)?(?=\[)"
changes = [
    exchange(whole_number, numbers),
    exchange(whole_number, numbers),
    exchange(r"(?<==)[^\s\[\](){}]+|(?<=[(,])\d+(?=[,)])", numbers),
    exchange(element, elements),
    exchange(r"(?<=dtype=)\w+", long_names),
    exchange(types),
    exchange(operands),
    exchange(primitives),
    exchange(parameters),
    exchange(token),
    everywhere(whole_number, numbers[:12]),
    everywhere(element, elements),
    remove(operands),
    remove(parameters),
    remove(token),
    double(operands),
    double(parameters),
    remove(r"(?<=[(,])-?\d+,?(?=[^()]*\))"),
    double(r"(?<=[(,])-?\d+,(?=[^()]*\))"),
    lambda text, rng: exchange(primitives, known_primitives)(text, rng),
]
known_primitives = []


def mutated(text, rng):
    """The text with one random change; it differs from the original unless nothing can change."""
    for _ in range(20):
        changed = rng.choice(changes)(text, rng)
        if changed != text:
            return changed
    return text
