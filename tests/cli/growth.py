#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that work is linear in the text: counts instructions for texts of many forms with n and 2n equations.

growth.py [--quick] [NAME...] needs valgrind, which counts the same instructions on every machine; without it, the test
is skipped. --quick takes texts of a quarter of the size: what grows too fast there is found in a quarter of the time.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from arrays import npy, npz, safetensors
from tool import program, sanitized

SKIPPED = 77  # the exit code that CTest takes as skipped
MOST = 2.15  # most times the instructions for a text of twice the size, without those for a small text
UNLIMITED = [part for name in ("variables", "nodes", "bytes", "terms") for part in ("--limit", f"{name}=1000000000000")]

PRODUCT = "dot_general[dimension_numbers=(([1], [0]), ([], [])) preferred_element_type=float32]"
STEP = "{ lambda ; c:f32[4]. let d:f32[4] = sin c in (d,) }"
SCAN = f"scan[jaxpr={STEP} length=LENGTH linear=(False,) num_carry=1 num_consts=0 reverse=False unroll=1]"
WHILE = (
    "while[cond_nconsts=0 cond_jaxpr={ lambda ; a:f32[4]. let b:f32[] = reduce_sum[axes=(0,)] a; "
    f"c:bool[] = lt b 9.0:f32[] in (c,) }} body_nconsts=0 body_jaxpr={STEP}]"
)
COND = f"cond[branches=({STEP} {STEP.replace('sin', 'cos')})]"
CONV = (
    "conv_general_dilated[batch_group_count=1 dimension_numbers=ConvDimensionNumbers(lhs_spec=(0, 3, 1, 2), "
    "rhs_spec=(3, 2, 0, 1), out_spec=(0, 3, 1, 2)) feature_group_count=1 lhs_dilation=(1, 1) padding=((1, 1), (1, 1)) "
    "precision=None preferred_element_type=None rhs_dilation=(1, 1) window_strides=(1, 1)]"
)
GATHER = (
    "gather[dimension_numbers=GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), "
    "start_index_map=(0,), operand_batching_dims=(), start_indices_batching_dims=()) fill_value=None "
    "indices_are_sorted=False mode=GatherScatterMode.CLIP slice_sizes=(1, 4) unique_indices=False]"
)
SCATTER = (
    "scatter-add[dimension_numbers=ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(0,), "
    "scatter_dims_to_operand_dims=(0,), operand_batching_dims=(), scatter_batching_dims=()) indices_are_sorted=False "
    "mode=GatherScatterMode.CLIP unique_indices=False update_jaxpr=None]"
)
COLUMN = "broadcast_in_dim[broadcast_dimensions=(0,) shape=(8, 1) sharding=None]"


def v(i, letter="v"):
    return letter + "".join(chr(97 + i // 26**k % 26) for k in range(4))


def text(inputs, equations, results, weights=""):
    results = " ".join(f"{result}," for result in results)
    return f"{{ lambda {weights} ; {inputs}. let\n    " + "\n    ".join(equations) + f"\n  in ({results}) }}\n"


def chained(n, type, step):
    """n equations, each applied to the previous result, and the last name. `step(i)` has X as its operand."""
    names = ["x", *map(v, range(n))]
    types = type if callable(type) else lambda i: type
    steps = step if callable(step) else lambda i: step
    pairs = enumerate(zip(names, names[1:]))
    return [f"{y}:{types(i)} = {steps(i).replace('X', x)}" for i, (x, y) in pairs], names[-1]


def chain(step, type="f32[4]", inputs="", x=""):
    def make(n):
        equations, last = chained(n, type, step)
        return text(f"{inputs} x:{x or type}", equations, [last])

    return make


def fan(step, type="f32[4]", inputs="x:f32[4]"):
    """n equations with the same operands, all of whose results are outputs."""
    return lambda n: text(
        inputs.replace("N", str(n)), [f"{v(i)}:{type} = {step(i)}" for i in range(n)], map(v, range(n))
    )


def joined(n, read):
    parts = [f"{v(i)}:f32[1,4] = mul x {i}.5:f32[]" for i in range(n)]
    whole = f"z:f32[{n},4] = concatenate[dimension=0] " + " ".join(map(v, range(n)))
    reads = [f"{v(i, 'u')}:f32[1,4] = {row(i)} z" for i in range(n if read else 0)]
    return text("x:f32[1,4]", [*parts, whole, *reads], [v(i, "u") for i in range(n)] if read else ["z"])


def row(i):
    return f"slice[limit_indices=({i + 1}, 4) start_indices=({i}, 0) strides=None]"


def split(n):
    parts = " ".join(f"{v(i)}:f32[1,4]" for i in range(n)) + f" = split[axis=0 sizes=({', '.join(['1'] * n)})] x"
    sines = [f"{v(i, 'u')}:f32[1,4] = sin {v(i)}" for i in range(n)]
    return text(f"x:f32[{n},4]", [parts, *sines], [v(i, "u") for i in range(n)])


def attention(n):
    equations, x = [], "x"
    for i in range(n):
        q, k, t, s, m, b, d, e, r, c, p, y = (v(i, letter) for letter in "qktsmbdercpy")
        equations += [
            f"{q}:f32[8,16] = {PRODUCT} {x} w",
            f"{k}:f32[8,16] = {PRODUCT} {x} u",
            f"{t}:f32[16,8] = transpose[permutation=(1, 0)] {k}",
            f"{s}:f32[8,8] = {PRODUCT} {q} {t}",
            f"{m}:f32[8] = reduce_max[axes=(1,)] {s}",
            f"{b}:f32[8,1] = {COLUMN} {m}",
            f"{d}:f32[8,8] = sub {s} {b}",
            f"{e}:f32[8,8] = exp {d}",
            f"{r}:f32[8] = reduce_sum[axes=(1,)] {e}",
            f"{c}:f32[8,1] = {COLUMN} {r}",
            f"{p}:f32[8,8] = div {e} {c}",
            f"{y}:f32[8,16] = {PRODUCT} {p} {q}",
        ]
        x = y
    return text("w:f32[16,16] u:f32[16,16] x:f32[8,16]", equations, [x])


def turns(n):
    """Reshapes a matrix to a vector and back."""
    equations, x = [], "x"
    for i in range(n):
        flat, y = v(i), v(i, "u")
        equations.append(f"{flat}:f32[16] = reshape[dimensions=None new_sizes=(16,) sharding=None] {x}")
        equations.append(f"{y}:f32[4,4] = reshape[dimensions=None new_sizes=(4, 4) sharding=None] {flat}")
        equations.append(f"{v(i, 's')}:f32[4,4] = sin {y}")
        x = v(i, "s")
    return text("x:f32[4,4]", equations, [x])


def carried(n):
    a, b, x = ([v(i, letter) for i in range(n)] for letter in "abx")
    body = f"{{ lambda ; {' '.join(f'{c}:f32[4]' for c in a)}. let "
    body += "; ".join(f"{d}:f32[4] = sin {c}" for c, d in zip(a, b)) + f" in ({' '.join(f'{d},' for d in b)}) }}"
    scan = f"scan[jaxpr={body} length=50 linear=({'False, ' * n}) num_carry={n} num_consts=0 reverse=False unroll=1]"
    results = " ".join(f"{v(i)}:f32[4]" for i in range(n))
    return text(" ".join(f"{c}:f32[4]" for c in x), [f"{results} = {scan} {' '.join(x)}"], map(v, range(n)))


def last_states(n):
    """States that no step reads, each computed from the new value of another one."""
    a, b, x = ([v(i, letter) for i in range(n)] for letter in "abx")
    body = f"{{ lambda ; h:f32[4] {' '.join(f'{c}:f32[4]' for c in a)} e:f32[4]. let k:f32[4] = mul h e; "
    body += "; ".join(f"{d}:f32[4] = sin {c}" for c, d in zip(["k", *b], b))
    body += f" in (k, {' '.join(f'{d},' for d in b)}) }}"
    linear = "False, " * (n + 2)
    scan = f"scan[jaxpr={body} length=50 linear=({linear}) num_carry={n + 1} num_consts=0 reverse=False unroll=1]"
    results = " ".join(f"{v(i)}:f32[4]" for i in range(n))
    inputs = f"h:f32[4] {' '.join(f'{c}:f32[4]' for c in x)} e:f32[50,4]"
    return text(inputs, [f"o:f32[4] {results} = {scan} h {' '.join(x)} e"], ["o", *map(v, range(n))])


def calls(n):
    return f"let j = {STEP} in\n" + chain("jit[name=f jaxpr=j] X")(n)


def on_devices(body):
    """A jaxpr that is computed on each of two devices."""
    spec = f"in_specs=(P('x',),) jaxpr={body} mesh=Mesh('x': 2) out_specs=(P('x',),)"
    return f"{{ lambda ; a:f32[8]. let b:f32[8] = shard_map[{spec}] a in (b,) }}\n"


def exchanges(n):
    equations, last = chained(n, "f32[4]", lambda i: "psum[axes=('x',)] X" if i % 2 else "add X x")
    return on_devices("{ lambda ; x:f32[4]. let " + "; ".join(equations) + f" in ({last},) }}")


def nested(n):
    """Nested branches on devices that choose different ones."""
    body = STEP
    for _ in range(n):
        choice = f"i:i32[] = axis_index[axis_name=x]; d:f32[4] = cond[branches=({body} {STEP})] i c"
        body = f"{{ lambda ; c:f32[4]. let {choice} in (d,) }}"
    return on_devices(body)


def weighted(shape, x, step, archive):
    """n weights in a file, each read by one equation of a chain."""

    def make(n):
        type = f"f32[{','.join(map(str, shape))}]"
        weights = " ".join(f"{v(i, 'w')}:{type}" for i in range(n))
        equations, last = chained(n, x, lambda i: f"{step} X {v(i, 'w')}")
        return text(f"x:{x}", equations, [last], weights), archive({f"w{i:06}": shape for i in range(n)})

    return make


def joined_weights(n):
    weights = " ".join(f"{v(i)}:f32[1,4]" for i in range(n))
    whole = f"z:f32[{n},4] = concatenate[dimension=0] " + " ".join(map(v, range(n)))
    equations = [whole, f"y:f32[{n},4] = add z x"]
    return text(f"x:f32[{n},4]", equations, ["y"], weights), stored({f"w{i:06}": (1, 4) for i in range(n)})


def one_weight(step):
    """A weight that is transposed, scaled or joined n times."""

    def make(n):
        equations, last = chained(n, "f32[40,40]", step)
        equations.append(f"z:f32[40,40] = add y {last}")
        return text("y:f32[40,40]", equations, ["z"], "x:f32[40,40]"), stored({"w": (40, 40)})

    return make


def stored(shapes):
    return "w.npz", npz(**{name: npy(shape) for name, shape in shapes.items()})


def tensors(shapes):
    return "w.safetensors", safetensors(shapes)


ones = ",".join(["1"] * 60)
# Name: the function that makes the text of size n, possibly with a file of its weights; n.
forms = {
    "chain": (chain("sin X"), 2000),
    "sums": (chain(lambda i: f"add X {i}.5:f32[]"), 1000),
    "fan": (fan(lambda i: f"add x {i}.25:f32[]"), 1000),
    "choices": (chain("select_n p X x", inputs="p:bool[4]"), 1000),
    "casts": (chain("convert_element_type[new_dtype=float32 weak_type=False] X"), 1000),
    "loops": (chain(SCAN.replace("LENGTH", "50") + " X"), 500),
    "short loops": (chain(SCAN.replace("LENGTH", "3") + " X"), 500),
    "loops with conditions": (chain(WHILE + " X"), 200),
    "branches": (chain(COND + " p X", inputs="p:i32[]"), 500),
    "calls": (calls, 1000),
    "exchanges of devices": (exchanges, 500),
    "nested choices of devices": (nested, 12),
    "joined": (lambda n: joined(n, False), 1000),
    "read from joined": (lambda n: joined(n, True), 1000),
    "parts": (split, 1000),
    "slices": (fan(lambda i: f"{row(i)} x", "f32[1,4]", "x:f32[N,4]"), 1000),
    "transposes": (chain(lambda i: "sin X" if i % 2 else "transpose[permutation=(1, 0)] X", "f32[4,4]"), 1000),
    "reshapes": (turns, 500),
    "pads": (chain("pad[padding_config=((0, 1, 0),)] X 0.0:f32[]", lambda i: f"f32[{i + 2}]", x="f32[1]"), 1000),
    "products": (chain(f"{PRODUCT} X w", "f32[4,4]", "w:f32[4,4]"), 1000),
    "attention": (attention, 50),
    "convolutions": (chain(f"{CONV} X w", "f32[1,8,8,4]", "w:f32[3,3,4,4]"), 200),
    "lookups in a table": (fan(lambda i: f"{GATHER} t x", "f32[3,4]", "t:f32[9,4] x:i32[3,1]"), 200),
    "scatters": (chain(f"{SCATTER} X k u", "f32[9,4]", "k:i32[3,1] u:f32[3,4]"), 200),
    "running sums": (chain("cumsum[axis=0 reverse=False] X"), 1000),
    "symbols": (
        lambda n: text(
            " ".join(f"{v(i, 'x')}:f32[s{i}]" for i in range(n)),
            [f"{v(i)}:f32[s{i}] = sin {v(i, 'x')}" for i in range(n)],
            map(v, range(n)),
        ),
        500,
    ),
    "multiples of a symbol": (chain("concatenate[dimension=0] X x", lambda i: f"f32[{i + 2}*b]", x="f32[b]"), 500),
    "one value, many results": (lambda n: text("x:f32[4]", ["y:f32[4] = sin x"], ["y"] * n), 1000),
    "long shapes": (chain("sin X", f"f32[{ones}]"), 300),
    "carried values": (carried, 400),
    "last states": (last_states, 400),
    "vectors of an archive": (weighted((4,), "f32[4]", "mul", stored), 500),
    "kernels of an archive": (weighted((40, 40), "f32[2,40]", PRODUCT, stored), 100),
    "kernels of safetensors": (weighted((40, 40), "f32[2,40]", PRODUCT, tensors), 100),
    "joined weights": (joined_weights, 1000),
    "scaled weight": (one_weight("mul X 1.01:f32[]"), 500),
    "turned weight": (one_weight(lambda i: "mul X 2.0:f32[]" if i % 2 else "transpose[permutation=(1, 0)] X"), 500),
}
# Options in addition to the form of the text, and the forms with which they are tried.
options = {
    (): forms,
    ("--report=r.html",): ("chain", "kernels of an archive"),
    ("--external-data",): ("kernels of an archive",),
    ("--emit", "text"): ("chain", "loops"),
}


def command(made, extra, folder):
    weights = []
    if isinstance(made, tuple):
        made, (name, content) = made
        (folder / name).write_bytes(content)
        weights = ["-w", name]
    (folder / "m.jaxpr").write_text(made)
    return [program, "m.jaxpr", *weights, "-o", "m.onnx", "-q", *UNLIMITED, *extra]


def instructions_of(arguments, folder):
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    done = subprocess.run([*valgrind, *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return max(int(found.replace(",", "")) for found in re.findall(r"I +refs: +([\d,]+)", done.stderr))


def instructions(make, n, extra):
    with tempfile.TemporaryDirectory() as folder:
        return instructions_of(command(make(n), extra, pathlib.Path(folder)), folder)


def main():
    names_given = [name for name in sys.argv[1:] if name != "--quick"]
    divisor = 4 if "--quick" in sys.argv[1:] else 1
    if sanitized or not shutil.which("valgrind"):
        print("skipped: needs valgrind, and a build without sanitizers")
        return SKIPPED
    failed = 0
    for extra, names in options.items():
        start = instructions(chain("sin X"), 1, extra)  # and end of the program
        for name in names:
            if names_given and name not in names_given:
                continue
            make, n = forms[name]
            once, twice = (instructions(make, size, extra) - start for size in (n // divisor, 2 * n // divisor))
            ratio = twice / once
            failed += ratio > MOST
            print(f"{name:26} {' '.join(extra):16} {ratio:5.2f} {'too much' if ratio > MOST else ''}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
