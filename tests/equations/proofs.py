#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves equations of integers and booleans for all values, with an SMT solver.

proofs.py SIDES

Takes the forms from SIDES (equations/sides.cpp) that use the operators below, for the element types for which they
apply. Shapes do not matter to elementwise operators; run.py tests them. Equations that the solver does not decide in a
few seconds are listed without an error; a counterexample is an error.
"""

import sys

import z3

from run import made

SECONDS = 5
BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "u8": 8, "u16": 16, "u32": 32, "u64": 64}


class Unknown(Exception):
    """A term that is not modelled here."""


class Meaning:
    """Computes the value of one element of a term; variables are created as they occur."""

    def __init__(self, kind):
        self.kind = kind
        self.variables = {}

    def number(self, text, like):
        n = float(text)
        if n in (float("inf"), float("-inf")):
            raise Unknown
        if z3.is_bool(like):
            return z3.BoolVal(n != 0)
        return z3.BitVecVal(int(n), like.size())

    def variable(self, name, sort):
        return self.variables.setdefault(name, z3.Const(name, sort))

    def sort(self, kind):
        return z3.BoolSort() if kind == "bool" else z3.BitVecSort(BITS[kind])

    def of(self, term, kind):
        """The value of a term, of type `kind` unless the term itself decides its type."""
        if isinstance(term, str):
            return self.variable(term, self.sort(kind))
        op, *operands = term
        if op == "define":
            name, inner = operands
            if name not in self.variables:
                self.variables[name] = self.of(inner, kind)
            return self.variables[name]
        if op in ("choice", "shaped", "broadcast"):  # the first alternative of a choice
            return self.of(operands[0], kind)
        if op == "number":
            return self.number(operands[0], z3.Const("", self.sort(kind)))
        if op in ("And", "Or", "Xor", "Not"):
            values = [self.of(o, "bool") for o in operands]
            return {"And": z3.And, "Or": z3.Or, "Xor": z3.Xor, "Not": z3.Not}[op](*values)
        if op in ("Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal"):
            a, b = (self.of(o, self.kind) for o in operands)
            return self.compared(op, a, b)
        if op == "Where":
            return z3.If(self.of(operands[0], "bool"), self.of(operands[1], kind), self.of(operands[2], kind))
        values = [self.of(o, kind) for o in operands]
        if kind == "bool":
            raise Unknown
        signed = kind[0] == "i"
        if op in ("Max", "Min"):
            first = self.compared("GreaterOrEqual" if op == "Max" else "LessOrEqual", *values)
            return z3.If(first, *values)
        if op == "Div":
            return values[0] / values[1] if signed else z3.UDiv(*values)
        ring = {"Add": lambda a, b: a + b, "Sub": lambda a, b: a - b, "Mul": lambda a, b: a * b, "Neg": lambda a: -a}
        if op not in ring:
            raise Unknown
        return ring[op](*values)

    def compared(self, op, a, b):
        if op == "Equal":
            return a == b
        if z3.is_bool(a):
            raise Unknown
        signed = self.kind[0] == "i"
        return {
            "Less": (lambda: a < b) if signed else (lambda: z3.ULT(a, b)),
            "LessOrEqual": (lambda: a <= b) if signed else (lambda: z3.ULE(a, b)),
            "Greater": (lambda: a > b) if signed else (lambda: z3.UGT(a, b)),
            "GreaterOrEqual": (lambda: a >= b) if signed else (lambda: z3.UGE(a, b)),
        }[op]()


def answer(form, kind):
    """`proven`, `open`, or a counterexample; None for equations of other types than integers and booleans."""
    meaning = Meaning(kind)
    root = "bool" if form["truth"] else kind
    try:
        left = meaning.of(form["left"], root)
        right = meaning.of(form["right"], root)
        solver = z3.Solver()
        solver.set("timeout", SECONDS * 1000)
        solver.add(left != right)
    except (Unknown, KeyError, z3.Z3Exception):
        return None
    found = solver.check()
    return "proven" if found == z3.unsat else "open" if found == z3.unknown else str(solver.model())


def main():
    lines, _ = made(sys.argv[1], *sys.argv[2:])
    proven, wrong = {}, 0
    for line in lines:
        if "form" not in line or not line["applied"] or line["compares"]:
            continue
        truth = line["type"] == "bool"
        for kind in ["i8", "i32", "u8", "bool"] if truth else [line["type"]]:
            if kind not in BITS and kind != "bool":
                continue
            a = answer({**line, "truth": truth}, kind)
            if a == "proven":
                proven.setdefault(f"{line['rule']}, form {line['form']}", []).append(kind)
            elif a is not None:
                print(f"{line['rule']}, form {line['form']}, {kind}: {a}")
                wrong += a != "open"
    for form, kinds in proven.items():
        print(f"{form}: proven for {' '.join(sorted(set(kinds)))}")
    return int(wrong > 0 or not proven)


if __name__ == "__main__":
    sys.exit(main())
