# SPDX-License-Identifier: Apache-2.0
"""Saves a JAX function for jax2onnx: its jaxpr as text; the arrays that it closes over, and names, as safetensors.

    from export import save, symbolic
    model = lambda image: net.apply(params, image)
    save("model", model, symbolic("B,28,28,1"), weights=params)     # model.jaxpr, model.safetensors

Copy this file into your project: it needs only JAX (0.4.30 or newer) and NumPy. `weights` is any pytree; those of its
arrays that the function closes over are named by their paths. Functions may take and return pytrees; their paths are
the names of the graph's inputs and outputs.
"""

import contextlib
import hashlib
import inspect
import json
import shlex
import struct
import threading

import jax
import numpy as np


def symbolic(shape, dtype="float32", scope=None):
    """An argument whose shape has symbols: `symbolic("B,28,28,1")`. Arguments that share symbols share a scope."""
    import jax.export  # with JAX 0.4.30 it needs absl-py

    return jax.ShapeDtypeStruct(jax.export.symbolic_shape(shape, scope=scope), dtype)


def save(path, function, *arguments, weights=None, source_info=False):
    """Writes `path`.jaxpr and `path`.safetensors. Returns the command that converts them."""
    text, constants, inputs, outputs = trace(function, *arguments, source_info=source_info)
    with open(path + ".jaxpr", "w", encoding="utf-8") as file:
        file.write(text + "\n")
    arrays = dict(zip(constant_names(constants, weights), constants))
    write_safetensors(path + ".safetensors", arrays, {"constvars": list(arrays), "inputs": inputs, "outputs": outputs})
    return shlex.join(["jax2onnx", path + ".jaxpr", "-w", path + ".safetensors"])


def trace(function, *arguments, source_info=False):
    """The jaxpr's text, all constants in the converter's order, and names for the inputs and the outputs."""
    closed, shape = jax.make_jaxpr(function, return_shape=True)(*arguments)
    for equation, place in strided_accesses(closed):
        raise NotImplementedError(f"{place}: {equation.primitive.name}: {'; '.join(STRIDE)}")
    return printed(closed, source_info), list(constants_of(closed)), *interface_names(function, arguments, shape)


def printed(closed, source_info=False):
    with printed_index_maps(closed), own_names(closed):
        return closed.jaxpr.pretty_print(source_info=source_info, name_stack=source_info)


RENAMING = threading.Lock()


@contextlib.contextmanager
def own_names(closed):
    """The rule for printing jax.jit gives results of the function the names of the caller, `_` if that drops them.

    If the function reads such results, it is printed without the rule.
    """
    from jax._src import core

    if not reads_dropped(closed):
        yield
        return
    with RENAMING:  # other threads that print now lack the rule as well; their texts are also correct
        renaming = {p: r for p, r in core.pp_eqn_rules.items() if p.name in ("jit", "pjit")}
        for primitive in renaming:
            del core.pp_eqn_rules[primitive]
        try:
            yield
        finally:
            core.pp_eqn_rules.update(renaming)


def reads_dropped(closed):
    """True if a function under jax.jit reads one of its results that its caller drops."""
    dropped = set()
    for jaxpr, _ in jaxprs_of(closed):
        read = {id(atom) for equation in jaxpr.eqns for atom in equation.invars}
        if read & dropped:
            return True
        read.update(map(id, jaxpr.outvars))
        for equation in jaxpr.eqns:
            if equation.primitive.name in ("jit", "pjit"):
                for inner, _ in jaxprs_in(equation.params["jaxpr"]):
                    for outer, result in zip(equation.outvars, inner.outvars):
                        if id(outer) in dropped or id(outer) not in read:
                            dropped.add(id(result))
    return False


@contextlib.contextmanager
def printed_index_maps(closed):
    """JAX 0.6 and newer print which blocks a Pallas kernel reads and writes only if `debug` is set."""
    grids = [e.params["grid_mapping"] for j, _ in jaxprs_of(closed) for e in j.eqns if "grid_mapping" in e.params]
    mappings = [m for grid in grids for m in (grid, *grid.block_mappings) if hasattr(m, "debug")]
    before = [mapping.debug for mapping in mappings]
    try:
        for mapping in mappings:
            object.__setattr__(mapping, "debug", True)  # the classes are frozen
        yield
    finally:
        for mapping, debug in reversed(list(zip(mappings, before))):
            object.__setattr__(mapping, "debug", debug)


def interface_names(function, arguments, results):
    """Names for the inputs and for the outputs, no two of them alike."""
    inputs, outputs = argument_names(function, arguments), leaf_names(results, "output")
    names = unique(inputs + outputs)
    return names[: len(inputs)], names[len(inputs) :]


def constants_of(closed):
    """The outer constants, then those of the inner jaxprs, depth first in the order of equations, each jaxpr once."""
    return (constant for _, constants in jaxprs_of(closed) for constant in constants)


def jaxprs_of(closed, skip=()):
    """(jaxpr, its constants), the outer one first; without those in the equations of the primitives named by `skip`."""
    met = set()

    def visit(jaxpr, constants):
        yield jaxpr, constants
        for equation in jaxpr.eqns:
            for key in sorted(equation.params) if equation.primitive.name not in skip else ():  # as printed
                for inner, inner_constants in jaxprs_in(equation.params[key]):
                    if id(inner) not in met:
                        met.add(id(inner))
                        yield from visit(inner, inner_constants)

    return visit(closed.jaxpr, closed.consts)


def jaxprs_in(parameter):
    """(jaxpr, its constants) for every jaxpr in the value of an equation's parameter."""
    if hasattr(parameter, "jaxpr") and hasattr(parameter, "consts"):
        yield parameter.jaxpr, parameter.consts
    elif hasattr(parameter, "eqns"):
        yield parameter, ()
    elif isinstance(parameter, (tuple, list)):
        for item in parameter:
            yield from jaxprs_in(item)


STRIDE = (
    "a slice of a reference has a stride, which JAX does not print",
    "read the reference whole, and slice its value",
)


def strided_accesses(closed, skip=()):
    """(the equation, its line of the program) for slices of references whose stride JAX does not print."""
    from jax._src import source_info_util

    is_index = lambda value: isinstance(getattr(value, "indices", None), tuple)  # a sparse array has an array of them
    for jaxpr, _ in jaxprs_of(closed, skip):
        for equation in jaxpr.eqns:
            tree = equation.params.get("tree", equation.params.get("args_tree"))
            if isinstance(tree, jax.tree_util.PyTreeDef) and 0 < len(equation.invars) >= tree.num_leaves:
                operands = equation.invars[len(equation.invars) - tree.num_leaves :]
                transforms = jax.tree_util.tree_leaves(tree.unflatten(operands), is_leaf=is_index)
                indices = [index for t in transforms if is_index(t) for index in t.indices]
                if any(getattr(index, "stride", 1) != 1 for index in indices):
                    yield equation, source_info_util.summarize(equation.source_info)


def argument_names(function, arguments):
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        parameters = []
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    known = [parameter.name for parameter in parameters if parameter.kind in by_position]
    known += [f"input_{index}" for index in range(len(known), len(arguments))]
    return [name for root, argument in zip(known, arguments) for name in leaf_names(argument, root)]


def leaf_names(tree, root):
    """`root` for a single array, `root.path` for the leaves of a pytree."""
    leaves = jax.tree_util.tree_flatten_with_path(tree)[0]
    return [".".join([root, *map(path_entry, path)]) for path, _ in leaves]


def path_entry(entry):
    for field in ("key", "name", "idx"):
        if hasattr(entry, field):
            return "".join(c if c.isalnum() or c in "_-/~" else "_" for c in str(getattr(entry, field)))
    return str(entry)


def unique(names):
    """The names; repeated ones get a number at the end."""
    taken = {}
    for index, name in enumerate(names):
        while name in taken:
            name += f"_{index}"
        taken[name] = index
    return list(taken)


def constant_names(constants, weights):
    """For each constant, the path of the weight that it is or copies: JAX copies NumPy arrays."""
    leaves = [
        (".".join(map(path_entry, path)), leaf) for path, leaf in jax.tree_util.tree_flatten_with_path(weights)[0]
    ]
    known = {id(leaf): path for path, leaf in leaves}
    copies = [constant for constant in constants if id(constant) not in known]
    kinds = set(map(kind, copies))
    copied = {digest(leaf): path for path, leaf in leaves if kind(leaf) in kinds}
    kinds = {kind(leaf) for _, leaf in leaves}
    known |= {id(copy): copied.get(digest(copy)) if kind(copy) in kinds else None for copy in copies}
    return unique(known[id(constant)] or f"constant_{index}" for index, constant in enumerate(constants))


def kind(constant):
    return str(getattr(constant, "dtype", type(constant))), np.shape(constant)


def digest(constant):
    return hashlib.sha256(as_bytes(to_numpy(constant))).digest(), kind(constant)


SAFETENSORS = {
    "bool": "BOOL", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64", "uint8": "U8", "uint16": "U16",
    "uint32": "U32", "uint64": "U64", "float16": "F16", "float32": "F32", "float64": "F64", "bfloat16": "BF16",
    "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2", "complex64": "C64",
}  # fmt: skip


def to_numpy(constant):
    """A key's data; pairs of doubles for complex128, which safetensors lacks; other arrays unchanged."""
    if jax.dtypes.issubdtype(getattr(constant, "dtype", np.float32), jax.dtypes.prng_key):
        constant = jax.random.key_data(constant)
    array = np.asarray(constant)
    return np.stack([array.real, array.imag], -1) if array.dtype == np.complex128 else array


def as_bytes(array):
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def write_safetensors(path, arrays, names):
    """Writes tensors in the given order and lists of names as metadata. ml_dtypes' types are written as raw bytes."""
    metadata = {f"jax2onnx.{what}": json.dumps(list_of_names) for what, list_of_names in names.items()}
    header, data, offset = {"__metadata__": metadata}, [], 0
    for name, constant in arrays.items():
        array = to_numpy(constant)
        dtype = SAFETENSORS.get(array.dtype.name) or ("U8" if array.dtype.itemsize == 1 else None)
        if dtype is None:
            raise TypeError(f"safetensors has no {array.dtype.name}: save {name} with numpy.savez instead")
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [offset, offset + array.nbytes]}
        data.append(array)
        offset += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in data:
            file.write(as_bytes(array))
