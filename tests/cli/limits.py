#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that small texts that describe huge or deep models become small models or are refused, in little memory."""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

from arrays import npy
from tool import program, sanitized

MEBIBYTE = 1 << 20
most_memory = 256 * MEBIBYTE
small_stack = 512 << 10  # the stack size of threads on some systems


def chain(depth, leaf, step, type="f32[]", before=""):
    """Jaxprs l0, l1, ..., each of which refers to the previous one by `step`."""
    lines = [before, f"let l0 = {{ lambda ; a:{type}. let b:{type} = {leaf} in (b,) }} in"]
    for i in range(1, depth + 1):
        lines.append(f"let l{i} = {{ lambda ; a:{type}. let {step.replace('INNER', f'l{i - 1}')} in (b,) }} in")
    return "\n".join(lines) + f"\n{{ lambda ; a:{type}. let b:{type} = jit[name=f jaxpr=l{depth}] a in (b,) }}"


def calls(n, type="f32[]"):
    names = ["a", *"cdefghijklmnop"[: n - 1], "b"]
    return "; ".join(f"{y}:{type} = jit[name=f jaxpr=INNER] {x}" for x, y in zip(names, names[1:]))


def doubled(depth, leaf, type="f32[]"):
    return chain(depth, leaf, calls(2, type), type)


def nested(depth, head, tail, leaf):
    return head * depth + leaf + tail * depth


condition = "let c0 = { lambda ; a:f32[]. let b:bool[] = lt a 1.0:f32[] in (b,) } in"
while_loop = "while[body_jaxpr=INNER body_nconsts=0 cond_jaxpr=c0 cond_nconsts=0]"
one_branch = "b:f32[] = cond[branches=(INNER INNER)] 1:i32[] a"
one_call = "b:f32[] = jit[name=f jaxpr=INNER] a"
maxima = nested(25, "max((x + y)*", ", -z)", "(-a)")
windows = "base_dilation=(1,) padding=((0, 0),) window_dilation=(1,) window_dimensions=({n},) window_strides=(1,)"
convolution = (
    "conv_general_dilated[batch_group_count=1 dimension_numbers=ConvDimensionNumbers(lhs_spec=(0, 1, 2), "
    "rhs_spec=(0, 1, 2), out_spec=(0, 1, 2)) feature_group_count=1 lhs_dilation=(1,) padding=((0, 0),) precision=None "
    "preferred_element_type=None rhs_dilation=(1,) window_strides=(1,)]"
)


def identity(type):
    return f"{{ lambda ; a:{type}. let b:{type} = sin a in (b,) }}"


# Name: the text, and the tool's message; a number is the exit code of a text that is converted.
texts = {
    "calls that double": (doubled(40, "sin a"), "limit 'nodes'"),
    "calls of large functions": (doubled(20, "acos a", "c64[]"), "limit 'nodes'"),
    "calls without nodes": (doubled(40, "convert_element_type[new_dtype=float32 weak_type=False] a"), "'variables'"),
    "calls in tenfold": (chain(12, "igamma a a", calls(10)), "limit 'nodes'"),
    "branches that double": (chain(28, "sin a", "b:f32[] = cond[branches=(INNER INNER)] 1:i32[] a"), 0),
    "branches by a variable": (
        chain(
            28,
            "sin a",
            "i:i32[] = convert_element_type[new_dtype=int32 weak_type=False] a; "
            "b:f32[] = cond[branches=(INNER INNER)] i a",
        ),
        "limit 'nodes'",
    ),
    "loops that double": (
        chain(26, "sin a", f"c:f32[] = {while_loop} a; b:f32[] = {while_loop} c", before=condition),
        "limit 'nodes'",
    ),
    "constants of calls": (chain(16, "mul a 2.0:f32[]", calls(8)), "limit"),
    "maxima that share operands": (identity(f"f32[{maxima}]"), "normal form"),
    "an expression that grows": (identity("f32[" + nested(30, "max((", ")*(a + b), c)", "d") + "]"), "normal form"),
    "a product of many symbols": (identity("f32[" + "*".join(f"s{i}" for i in range(500)) + "]"), "degree over 64"),
    "a power of powers": (identity(f"f32[{nested(8, '(', '^16)', 'b')}]"), "degree over 64"),
    "a size that overflows": (identity("f32[4294967296,4294967296]"), "overflows 64 bits"),
    "a negative dimension": (identity("f32[3 - 5]"), "negative dimension"),
    "many dimensions": (identity(f"f32[{'1,' * 999}1]"), "over 256 dimensions"),
    "bits of no width": (
        "{ lambda ; a:key<fry>[] b:f32[]. let m:u8[3] = random_bits[bit_width=0 shape=(3,)] a in (m, b) }",
        "width",
    ),
    "a large window": (
        "{ lambda ; a:i32[1000000000]. let b:i32[1] = reduce_window_sum["
        + windows.format(n=1000000000)
        + "] a in (b,) }",
        0,
    ),
    "a window that overflows": (
        "{ lambda ; a:f64[4]. let b:f64[1] = reduce_window_sum[base_dilation=(1,) padding=((0, 0),) "
        "window_dilation=(4611686018427387903,) window_dimensions=(2,) window_strides=(1,)] a in (b,) }",
        "62 bits",
    ),
    "a large kernel": (
        "{ lambda ; a:f64[1,1,1000000000] b:f64[1,1,1000000000]. let c:f64[1,1,1] = " + convolution + " a b in (c,) }",
        0,
    ),
    "a large decomposition": (
        "{ lambda ; a:f32[1000000000,1000000000]. let b:f32[1000000000,1000000000] c:f32[1000000000] = eigh["
        "algorithm=None lower=True sort_eigenvalues=True subset_by_index=None] a in (b, c) }",
        0,
    ),
    "singular values of a large matrix": (
        "{ lambda ; a:f32[100000000,100000000]. let b:f32[100000000] = svd[algorithm=None compute_uv=False "
        "full_matrices=True subset_by_index=None] a in (b,) }",
        0,
    ),
    "joined arrays without elements": (
        "{ lambda ; a:f32[]. let b:f32[1000000000000,0] = broadcast_in_dim[broadcast_dimensions=() "
        "shape=(1000000000000, 0) sharding=None] a; c:f32[1000000000000,0] = concatenate[dimension=1] b b in (c,) }",
        0,
    ),
    "deep brackets": (
        f"{{ lambda ; a:f32[]. let b:f32[] = sin[k={nested(100000, '(', ',)', '1')}] a in (b,) }}",
        "parse.limit-depth",
    ),
    "deep jaxprs": (
        nested(5000, "{ lambda ; a:f32[]. let b:f32[] = jit[jaxpr=", "] a in (b,) }", identity("f32[]")),
        "parse.limit-depth",
    ),
    "a deep dimension": (identity(f"f32[{nested(60, 'max(', ', -z)', '-a')}]"), 0),
    "a dimension that is too deep": (identity(f"f32[{nested(100, '(', ')', 'a')}]"), "nested more than 64"),
    "deep calls": (chain(190, "sin a", one_call), 0),
    "calls that are too deep": (chain(240, "sin a", one_call), "'depth'"),
    "deep loops": (chain(30, "sin a", f"b:f32[] = {while_loop} a", before=condition), 0),
    "loops that are too deep": (chain(150, "sin a", f"b:f32[] = {while_loop} a", before=condition), "nested more than"),
}


def letters(i):
    return "v" + "".join(chr(97 + i // 26**k % 26) for k in range(3))


def chains_of_weights():
    """Chains of concatenations, scalings and transposes of weights: the texts, and the shapes of the weights."""
    joined, columns = [f"{letters(0)}:f32[16,32] = concatenate[dimension=1] w w"], 32
    for i in range(1, 2000):
        columns += 16
        joined.append(f"{letters(i)}:f32[16,{columns}] = concatenate[dimension=1] {letters(i - 1)} w")
    scaled = [f"{letters(0)}:f32[1,4096] = dot_general[dimension_numbers=(([1], [0]), ([], []))] x w"]
    scaled += [f"{letters(i)}:f32[1,4096] = mul {letters(i - 1)} k" for i in range(1, 900)]
    turned = [f"{letters(0)}:f32[300,300] = mul w 0.5:f32[]"]
    for i in range(1, 900):
        step = "transpose[permutation=(1, 0)]" if i % 2 else "mul 2.0:f32[]" if i % 4 else "mul 0.5:f32[]"
        turned.append(f"{letters(i)}:f32[300,300] = {step} {letters(i - 1)}")
    return {
        "joined": (f"w:f32[16,16] ; x:f32[16,{columns}]", f"f32[16,{columns}]", joined, [(16, 16)]),
        "scaled": ("w:f32[1,4096] k:f32[1,4096] ; x:f32[1,1]", "f32[1,4096]", scaled, [(1, 4096), (1, 4096)]),
        "turned": ("w:f32[300,300] ; x:f32[300,300]", "f32[300,300]", turned, [(300, 300)]),
    }


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    if not sanitized:
        resource.setrlimit(resource.RLIMIT_STACK, (small_stack, small_stack))


class limits(unittest.TestCase):
    def converted(self, text, *arguments):
        """The exit code, messages, memory, and size of the model."""
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "m.onnx")
            command = [program, "-", "-q", "-o", model, *arguments]
            tool = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limited)
            try:
                tool.stdin.write(text.encode())
                tool.stdin.close()
            except BrokenPipeError:
                pass
            said = tool.stderr.read().decode()
            _, status, used = os.wait4(tool.pid, 0)
            tool.returncode = os.waitstatus_to_exitcode(status)
            tool.stderr.close()
            size = os.path.getsize(model) if os.path.exists(model) else 0
            return tool.returncode, said, used.ru_maxrss * 1024, size

    def test_hostile_texts(self):
        for name, (text, expected) in texts.items():
            with self.subTest(name):
                code, said, memory, size = self.converted(text)
                if expected == 0:
                    self.assertEqual(code, 0, said)
                    self.assertLess(size, MEBIBYTE)
                else:
                    self.assertIn(code, (2, 3, 6), said)
                    self.assertIn(expected, said)
                if not sanitized:
                    self.assertLess(memory, most_memory)

    def test_chains_of_weights(self):
        for name, (inputs, type, lines, shapes) in chains_of_weights().items():
            equations = "\n    ".join([*lines, f"z:{type} = add x {letters(len(lines) - 1)}"])
            text = f"{{ lambda {inputs}. let\n    {equations}\n  in (z,) }}"
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                files = []
                for i, shape in enumerate(shapes):
                    path = pathlib.Path(folder) / f"{i}.npy"
                    path.write_bytes(npy(shape))
                    files += ["-w", str(path)]
                code, said, memory, _ = self.converted(text, *files)
                self.assertEqual(code, 0, said)
                if not sanitized:
                    self.assertLess(memory, 64 * MEBIBYTE)

    def test_limits_are_options(self):
        text = doubled(4, "mul a 2.0:f32[]")
        self.assertEqual(self.converted(text)[0], 0)
        for limit in ("nodes=15", "variables=50", "bytes=500", "depth=3", "output=3"):
            code, said, _, size = self.converted(text, "--limit", limit)
            self.assertEqual((code, size), (6, 0), limit)
            self.assertIn(f"limit '{limit.partition('=')[0]}'", said)
        self.assertEqual(self.converted(text, "--limit", "nodes=16", "--limit", "output=4")[0], 0)
        self.assertEqual(self.converted(identity("f32[a + b]"), "--limit", "terms=1")[0], 6)
        self.assertEqual(self.converted(text, "--limit", "nodes")[0], 1)
        self.assertIn("found 'knots'", self.converted(text, "--limit", "knots=1")[1])


if __name__ == "__main__":
    sys.exit(unittest.main())
