# SPDX-License-Identifier: Apache-2.0
"""Folders for onnxruntime-genai: a language model that is a function of tokens and a cache, ready to generate text.

    >>> import jax, jax.numpy as jnp
    >>> from jax2onnx_cpp import genai
    >>> table = jax.random.normal(jax.random.key(0), (32, 8))
    >>> def step(input_ids, cache):
    ...     x = table[input_ids][:, None]  # one head: (batch, head, token, feature)
    ...     key, value = (jnp.concatenate([past, x], 2) for past in cache)
    ...     return (x @ key.mT @ value)[:, 0] @ table.T, (key, value)
    >>> model = genai.save_folder(step, "tiny", cache=("B,1,P,8", "B,1,P,8"), context_length=64, eos_token_id=0)
    >>> [output.name for output in model.outputs]
    ['logits', 'present.0.key', 'present.0.value']

docs/language-models.md shows whole decoders.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import json
import os
import pathlib
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ._arguments import SHAPE, counted, extents_of, is_shape_of_numbers, long_name
from ._convert import to_onnx
from ._functions import as_function
from ._model import Model

__all__ = ["save_folder"]

TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "added_tokens.json",
    "chat_template.jinja",
    "merges.txt",
    "special_tokens_map.json",
    "tokenizer.model",
    "vocab.json",
    "vocab.txt",
)
TYPES = ("float32", "float16", "bfloat16")  # the element types of caches


def save_folder(
    fn: Callable[..., Any],
    folder: str | os.PathLike[str],
    *,
    cache: Any,
    context_length: int,
    eos_token_id: int | Sequence[int],
    bos_token_id: int | None = None,
    pad_token_id: int | None = None,
    shared_cache: bool = False,
    weight_format: str | None = None,
    compute: str | None = None,
    tokenizer: Any = None,
    config: Mapping[str, Any] | None = None,
    target: str = "ort",
    **options: Any,
) -> Model:
    """Exports a decoder to a folder that onnxruntime-genai loads: the model, its weights, genai_config.json.

    `fn` computes one step, of a prompt or of a single token, and returns `(logits, cache)`. It takes some of these
    arguments, by these names. B is the number of sequences, S the number of new tokens, P the number of tokens in the
    cache before the step:

    - `input_ids`, int32 (B, S): the new tokens.
    - `cache`: a pytree of arrays with the keys and values of earlier tokens.
    - `attention_mask`, int32 (B, T): 0 for columns of the cache that hold padding. T is the number of columns of the
      cache that `fn` returns.
    - `position_ids`, int32 (B, S): positions of the new tokens in their sequences.
    - `start`, int32 scalar: the column of the first new token, in the cache that `fn` returns.

    `input_ids` and `cache` are required. The logits are (B, S, size of the vocabulary).

    Args:
        fn: a function, or a module of Flax NNX, Equinox or Keras.
        folder: the folder to write. It is created, and files of an earlier export are replaced.
        cache: the pytree that `fn` takes as `cache`, with shapes instead of arrays: `[("B,2,P,64", "B,2,P,64")] * 12`.
            Each shape has the symbols B and P, and the number of heads before the size of a head. The model transposes
            arrays of another order, such as "B,P,2,64". Element types are written as in `to_onnx`: "f16[B,2,P,64]".
            "i32[]" is a counter in the cache; it gets the value of `start`.
        context_length: the largest number of tokens of a sequence.
        eos_token_id: the token that ends a sequence, or a list of such tokens.
        bos_token_id: the token that begins a sequence.
        pad_token_id: the token that fills up shorter sequences of a batch; None: the first of `eos_token_id`.
        shared_cache: how the cache grows. False: `fn` appends, and returns arrays with P + S columns. True: `fn`
            writes into an array with P columns from `start` on, and returns it. The runtime then keeps one buffer
            of `max_length` columns.
        weight_format: "float16", "bfloat16", "int8" or "int4"; see `to_onnx`.
        compute: "float16" computes and stores float32 values in float16; see `to_onnx`. The cache and the logits keep
            their types.
        tokenizer: a folder with the files of a tokenizer, which are copied, or a tokenizer of Hugging Face.
        config: entries of genai_config.json that are added or replaced, such as
            `{"search": {"do_sample": True, "top_k": 40}}`.
        target: the target runtime; see `to_onnx`.
        options: options of `to_onnx`, such as `opset` and `static`.

    Returns:
        The model that was saved. Its inputs and outputs have onnxruntime-genai's names.

    Raises:
        ValueError, TypeError: an argument or a result of `fn` does not fit; the message says which.
        ConversionError: as `to_onnx`.
    """
    for option in ("kwargs", "input_names", "output_names"):
        if option in options:
            raise TypeError(f"{option}: save_folder sets this option of to_onnx")
    if not isinstance(shared_cache, bool):
        raise TypeError(f"shared_cache: expected True or False, found {shared_cache!r}")
    if not isinstance(config, (Mapping, type(None))):
        raise TypeError(f"config: expected a dictionary, found {config!r}")
    count("context_length", context_length, 1)
    ends: list[Any] = list(eos_token_id) if isinstance(eos_token_id, (list, tuple)) else [eos_token_id]
    tokens = [("eos_token_id", token) for token in ends]
    tokens += [("bos_token_id", bos_token_id)] if bos_token_id is not None else []
    tokens += [("pad_token_id", pad_token_id)] if pad_token_id is not None else []
    if not ends:
        raise ValueError("eos_token_id: expected one token or more")
    for name, token in tokens:
        count(name, token, 0)
    check_tokenizer(tokenizer)
    layout = Layout(cache, shared_cache)
    subject: Any = as_function(fn)
    step = Step(subject.function, parameters_of(fn, subject.function, options.get("static") or {}), layout)
    subject.function = step
    model = to_onnx(
        subject,
        kwargs=step.inputs,
        input_names=step.input_names,
        output_names=["logits", *layout.names("present")],
        constraints=[*step.constraints(int(context_length)), *options.pop("constraints", ())],
        target=target,
        weight_format=weight_format,
        compute=compute,
        **options,
    )
    for name, token in tokens:
        if token >= step.vocabulary:
            raise ValueError(
                f"{name}: expected a token below {step.vocabulary}, the number of logits of a step, found {token}"
            )
    made = {
        "model": {
            "type": "decoder",
            **({} if bos_token_id is None else {"bos_token_id": int(bos_token_id)}),
            "eos_token_id": int(ends[0]) if len(ends) == 1 else [int(token) for token in ends],
            "pad_token_id": int(ends[0] if pad_token_id is None else pad_token_id),
            "context_length": int(context_length),
            "vocab_size": step.vocabulary,
            "decoder": {
                "filename": "model.onnx",
                "session_options": {"log_id": "onnxruntime-genai", "provider_options": []},
                "num_hidden_layers": len(layout.leaves) // 2,
                "num_key_value_heads": layout.heads,
                "head_size": layout.head_size,
                "inputs": {
                    **{name: name for name in step.inputs if name != "cache"},
                    "past_key_names": "past_key_values.%d.key",
                    "past_value_names": "past_key_values.%d.value",
                },
                "outputs": {
                    "logits": "logits",
                    "present_key_names": "present.%d.key",
                    "present_value_names": "present.%d.value",
                },
            },
        },
        "search": {"max_length": int(context_length), "past_present_share_buffer": shared_cache},
    }
    text = json.dumps(merged(made, config or {}), indent=2)
    path = pathlib.Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    model.save(path / "model.onnx", external_data="model.onnx.data")
    save_tokenizer(tokenizer, path)
    (path / "genai_config.json").write_text(text + "\n")
    return model


class Step:
    """The function that is converted: `fn`, with the runtime's arguments and results."""

    def __init__(self, fn: Callable[..., Any], taken: set[str], layout: Layout):
        self.fn, self.taken, self.layout, self.shared = fn, taken, layout, layout.shared
        self.vocabulary = 0  #: the size of the vocabulary, known after a trace
        masked = "attention_mask" in taken or self.shared and ("start" in taken or layout.counters)
        self.inputs: dict[str, Any] = {"input_ids": "i32[B,S]"}
        if masked:
            self.inputs["attention_mask"] = "i32[B,T]" if self.shared else "i32[B,P + S]"
        if "position_ids" in taken:
            self.inputs["position_ids"] = "i32[B,S]"
        self.input_names = [*self.inputs, *layout.names("past_key_values")]
        self.inputs["cache"] = [leaf.stored for leaf in layout.leaves]

    def constraints(self, context_length: int) -> list[str]:
        """Relations between the symbolic sizes."""
        if not self.shared:
            return [f"P + S <= {context_length}"]
        filled = ["P >= T", "T >= S"] if "attention_mask" in self.inputs else ["P >= S"]
        return [f"P <= {context_length}", *filled]

    def __call__(self, *, input_ids: Any, cache: Any, **others: Any) -> Any:
        import jax.numpy as jnp

        (sequences, tokens), held = input_ids.shape, cache[0].shape[2]
        start = held
        if self.shared and "attention_mask" in others:
            filled = others["attention_mask"].shape[1]
            others["attention_mask"] = jnp.pad(others["attention_mask"], ((0, 0), (0, held - filled)))
            start = filled - tokens
        start = jnp.asarray(start, "int32")
        given = {"input_ids": input_ids, "cache": self.layout.given(cache, start), "start": start, **others}
        results = self.fn(**{name: value for name, value in given.items() if name not in OPTIONAL - self.taken})
        if not isinstance(results, (tuple, list)) or len(results) != 2:
            raise TypeError(f"fn: expected the results (logits, cache), found {type(results).__name__}")
        logits, returned = results
        self.check_logits(logits, (sequences, tokens))
        if str(logits.dtype) == "bfloat16":
            logits = logits.astype("float32")
        return logits, self.layout.stored(returned, sequences, held if self.shared else held + tokens)

    def check_logits(self, logits: Any, leading: tuple[Any, Any]) -> None:
        shape: tuple[Any, ...] = getattr(logits, "shape", ())
        fits = len(shape) == 3 and shape[:2] == leading and isinstance(shape[2], int)
        if not fits or str(logits.dtype) not in TYPES:
            raise ValueError(f"logits: expected float32[B,S,vocabulary], found {shown(logits)}")
        self.vocabulary = shape[2]


OPTIONAL = {"attention_mask", "position_ids", "start"}  # arguments that a function need not take


def parameters_of(fn: Any, function: Callable[..., Any], static: Mapping[str, Any]) -> set[str]:
    """The names of the arguments that `fn` takes. `function` is a wrapper that calls `fn`."""
    parameters = list(inspect.signature(function).parameters.values())
    if any(parameter.kind == inspect.Parameter.VAR_KEYWORD for parameter in parameters):
        while isinstance(fn, functools.partial):
            fn = fn.func
        owner = getattr(fn, "__self__", None)
        if callable(owner) and fn.__name__ == "apply":  # Linen's apply() passes its keywords to __call__
            parameters = list(inspect.signature(owner.__call__).parameters.values())
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    named = [parameter for parameter in parameters if parameter.kind in kinds]
    known = {"input_ids", "cache", *OPTIONAL}
    for name in ("input_ids", "cache"):
        if name not in {parameter.name for parameter in named}:
            listed = ", ".join(parameter.name for parameter in parameters)
            raise TypeError(f"fn: expected a parameter {name}, found {listed or 'none'}; a lambda can rename them")
    for parameter in named:
        if parameter.name not in {*known, *static} and parameter.default is inspect.Parameter.empty:
            raise TypeError(
                f"fn: the parameter {parameter.name} is none of {', '.join(sorted(known))}, and has no default; pass"
                f" its value as static={{{parameter.name!r}: ...}}"
            )
    return {parameter.name for parameter in named}


@dataclasses.dataclass(frozen=True)
class Leaf:
    """An array of the cache."""

    name: str  #: the name of the array in messages, such as "cache[0]['key']"
    dtype: str  #: the name of the element type in shapes, such as "f16"
    extents: tuple[int | str, ...]  #: the extents of the function's array; empty for a counter
    path: tuple[str, ...]  #: the keys that lead to the array in the pytree

    @property
    def order(self) -> list[int]:
        """Axes of the function's array in the order of the runtime: batch, head, column, feature."""
        batch, columns = self.extents.index("B"), self.extents.index("P")
        heads, features = (axis for axis in range(4) if axis not in (batch, columns))
        return [batch, heads, columns, features]

    @property
    def stored(self) -> str:
        """The shape in the runtime."""
        return f"{self.dtype}[{','.join(str(self.extents[axis]) for axis in self.order)}]"

    @property
    def sizes(self) -> tuple[str, int | str, int | str]:
        """The element type, the number of heads and the size of a head, which all arrays share."""
        _, heads, _, features = self.order
        return self.dtype, self.extents[heads], self.extents[features]


class Layout:
    """The relation of the runtime's arrays, a key and a value for each layer, to the pytree of the function."""

    def __init__(self, cache: Any, shared: bool):
        import jax

        self.structure: Any
        flat, self.structure = jax.tree_util.tree_flatten_with_path(cache, is_leaf=is_shape_of_numbers)
        self.shared = shared
        leaves = {number: leaf_of(path, given) for number, (path, given) in enumerate(flat)}
        self.counters = {number for number, leaf in leaves.items() if not leaf.extents}
        self.numbers = paired({n: leaf for n, leaf in leaves.items() if leaf.extents})  #: in the runtime's order
        self.leaves = [leaves[number] for number in self.numbers]
        first = self.leaves[0]
        for leaf in self.leaves:
            if leaf.sizes != first.sizes:
                raise ValueError(
                    f"cache: onnxruntime-genai has one element type, number of heads and head size for all layers;"
                    f" {first.name} is {first.stored}, but {leaf.name} is {leaf.stored}"
                )
        _, self.heads, self.head_size = first.sizes

    def names(self, prefix: str) -> list[str]:
        return [f"{prefix}.{i // 2}.{'value' if i % 2 else 'key'}" for i in range(len(self.leaves))]

    def given(self, arrays: Sequence[Any], start: Any) -> Any:
        """The pytree that the function takes, from the arrays of the runtime."""
        import jax

        found = dict.fromkeys(self.counters, start)
        for number, leaf, array in zip(self.numbers, self.leaves, arrays):
            found[number] = array.transpose([leaf.order.index(axis) for axis in range(4)])
        return jax.tree_util.tree_unflatten(self.structure, [found[number] for number in sorted(found)])

    def stored(self, returned: Any, sequences: Any, columns: Any) -> list[Any]:
        """The arrays of the runtime, from the pytree that the function returns."""
        import jax

        arrays, structure = jax.tree_util.tree_flatten(returned)
        if structure != self.structure:
            raise ValueError(f"cache: fn takes the pytree {self.structure}, but returns {structure}")
        results = []
        for leaf, number in zip(self.leaves, self.numbers):
            array, symbols = arrays[number], {"B": sequences, "P": columns}
            wanted = jax.ShapeDtypeStruct(tuple(symbols.get(str(e), e) for e in leaf.extents), long_name(leaf.dtype))
            if getattr(array, "shape", None) != wanted.shape or array.dtype != wanted.dtype:
                raise ValueError(f"{leaf.name}: {self.expected(shown(wanted))}, found {shown(array)}")
            results.append(array.transpose(leaf.order))
        return results

    def expected(self, wanted: str) -> str:
        if self.shared:
            return f"with shared_cache=True, fn has to return {wanted}"
        return f"fn has to append to the cache and return {wanted}, or to write into it (shared_cache=True)"


def leaf_of(path: Sequence[Any], given: Any) -> Leaf:
    import jax

    name = "cache" + jax.tree_util.keystr(tuple(path))
    text = f"[{','.join(map(str, given))}]" if is_shape_of_numbers(given) else given
    steps = tuple(str(getattr(step, "name", getattr(step, "key", getattr(step, "idx", step)))) for step in path)
    if text == "i32[]":
        return Leaf(name, "i32", (), steps)
    found = SHAPE.fullmatch(text) if isinstance(text, str) else None
    extents = [extent.strip() for extent in extents_of(text).split(",")] if found else []
    numbers = [extent for extent in extents if extent.isdecimal() and int(extent)]
    if not found or len(numbers) != 2 or sorted({*extents} - {*numbers}) != ["B", "P"] or len(extents) != 4:
        expected = "a shape such as 'B,2,P,64' (batch, heads, tokens in the cache, size of a head)"
        raise ValueError(f"{name}: expected {expected}, found {given!r}")
    dtype = found["dtype"] or "f32"
    if long_name(dtype) not in TYPES:
        raise ValueError(f"{name}: expected one of {', '.join(TYPES)}, found {dtype}")
    return Leaf(name, dtype, tuple(int(extent) if extent.isdecimal() else extent for extent in extents), steps)


KEY, VALUE = (re.compile(f"(.*_)?({word})(_.*)?", re.IGNORECASE) for word in ("k|keys?", "v|values?"))


def paired(leaves: Mapping[int, Leaf]) -> list[int]:
    """The indices of the leaves, a key and its value for each layer. Names such as `k` and `cached_value` tell keys
    from values; without such names, keys and values alternate.
    """
    if not leaves or len(leaves) % 2:
        raise ValueError(f"cache: expected a key and a value for each layer, found {counted(len(leaves), 'array')}")
    layers: dict[tuple[str, ...], dict[bool, int]] = {}
    for number, leaf in leaves.items():
        named = [i for i, step in enumerate(leaf.path) if bool(KEY.fullmatch(step)) != bool(VALUE.fullmatch(step))]
        if len(named) != 1:
            return list(leaves)
        (at,) = named
        layers.setdefault(leaf.path[:at] + leaf.path[at + 1 :], {})[bool(VALUE.fullmatch(leaf.path[at]))] = number
    if any(len(layer) != 2 for layer in layers.values()):
        return list(leaves)
    return [layers[path][is_value] for path in sorted(layers, key=natural) for is_value in (False, True)]


def natural(path: Sequence[str]) -> list[tuple[int, str]]:
    """A sort key that puts layers_10 after layers_9."""
    parts = [part for step in path for part in re.split(r"(\d+)", step)]
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def shown(value: Any) -> str:
    """An array as `float32[B,S,8]`."""
    if not hasattr(value, "shape") or not hasattr(value, "dtype"):
        return type(value).__name__
    return f"{value.dtype}[{','.join(map(str, value.shape))}]"


def count(name: str, value: Any, least: int) -> None:
    if not hasattr(value, "__index__") or isinstance(value, bool) or value < least:
        raise ValueError(f"{name}: expected an integer of {least} or more, found {value!r}")


def check_tokenizer(tokenizer: Any) -> None:
    if tokenizer is None or hasattr(tokenizer, "save_pretrained"):
        return
    if not isinstance(tokenizer, (str, os.PathLike)):
        raise TypeError(f"tokenizer: expected a folder or a tokenizer of Hugging Face, found {tokenizer!r}")
    if not (pathlib.Path(tokenizer) / "tokenizer.json").is_file():
        raise ValueError(f"tokenizer: {os.fspath(tokenizer)} has no tokenizer.json")


def save_tokenizer(tokenizer: Any, folder: pathlib.Path) -> None:
    if tokenizer is None:
        return
    if hasattr(tokenizer, "save_pretrained"):
        tokenizer.save_pretrained(folder)
        if not (folder / "tokenizer.json").is_file():
            raise ValueError(f"tokenizer: {type(tokenizer).__name__} writes no tokenizer.json; use a fast tokenizer")
        return
    for name in TOKENIZER_FILES:
        source = pathlib.Path(tokenizer) / name
        if source.is_file() and source.resolve() != (folder / name).resolve():
            shutil.copyfile(source, folder / name)


def merged(made: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """`made`, with the entries of `given` added or replaced, at every depth."""
    result = dict(made)
    for key, value in given.items():
        both = isinstance(value, Mapping) and isinstance(made.get(key), Mapping)
        result[key] = merged(made[key], value) if both else value
    return result
