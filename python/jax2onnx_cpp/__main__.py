# SPDX-License-Identifier: Apache-2.0
"""Converts a function in a file or module: jax2onnx export MODULE:FUNCTION --args "f32[B,8]" -o model.onnx

`python -m jax2onnx_cpp` is the same. Without `export`, `jax2onnx` converts texts that JAX has printed.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import importlib.util
import pathlib
import sys
from typing import Any

from . import ConversionError, __version__, _core, to_onnx, verify


def main(argv: list[str] | None = None) -> int:
    """Runs the command. Returns 0; 1 for wrong usage or a model that differs from JAX; the tool's code for a
    failure."""
    options = parser().parse_args(argv)
    try:
        fn = loaded(options.function)
        model = to_onnx(
            fn,
            *options.args,
            **{name: value for _, name, *_ in _core.options if (value := getattr(options, name, None)) is not None},
            input_names=options.input_names,
            output_names=options.output_names,
            source_info=options.source_info,
        )
        model.save(options.output, external_data=options.external_data or None)
    except ConversionError as error:
        print(error, file=sys.stderr)
        return {"unsupported": 3, "malformed": 2, "io": 4, "unsafe": 6}.get(error.kind, 70)
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        print(f"jax2onnx export: {error}", file=sys.stderr)
        return 1
    print(f"{options.output}: {model!r}")
    if not options.verify:
        return 0
    found = verify(model, fn, *options.args)
    print(found)
    return 0 if found else 1


def parser() -> argparse.ArgumentParser:
    description, _, more = __doc__.partition("\n\n")
    result = argparse.ArgumentParser("jax2onnx export", description=description, epilog=more)
    add = result.add_argument
    add("function", metavar="MODULE:FUNCTION", help="pkg.module:name, or file.py:name; the name may have dots")
    add("--args", nargs="*", default=[], metavar="SHAPE", help="such as 'f32[B,8]': one for each argument")
    add("-o", "--output", default="model.onnx", metavar="FILE", help="default: model.onnx")
    for key, name, form, meaning, values in _core.options:
        add(f"--{key}", dest=name, default=argparse.SUPPRESS, help=meaning.replace("%", "%%"), **kind(form, values))
    add("--input-names", type=names, default=[], metavar="NAME,...")
    add("--output-names", type=names, default=[], metavar="NAME,...")
    add("--external-data", action="store_true", help="weights in a file beside the model")
    add("--source-info", action="store_true", help="nodes name the line of Python that they come from")
    add("--verify", action="store_true", help="compare with JAX in ONNX Runtime")
    add("--version", action="version", version=__version__)
    return result


def kind(form: str, values: list[str]) -> dict[str, Any]:
    """The arguments of add_argument() for an option of this form, one of `_options.FORMS`."""
    kinds: dict[str, dict[str, Any]] = {
        "flag": dict(action="store_true"),
        "on_off": dict(action="store_true"),
        "choice": dict(choices=values, metavar=None if len(values) < 10 else "NAME"),
        "number": dict(type=int, metavar="N"),
        "list": dict(type=names, metavar="NAME,..."),
        "size": dict(type=dimension, action=sizes, metavar="B=8"),
        "part": dict(type=shard, metavar="I/N"),
    }
    return kinds[form]


class sizes(argparse.Action):
    """Collects sizes in a dictionary."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: Any = None) -> None:
        name, size = values
        setattr(namespace, self.dest, {**getattr(namespace, self.dest, {}), name: size})


def names(text: str) -> list[str]:
    return text.split(",")


def shard(text: str) -> tuple[int, int]:
    index, _, count = text.partition("/")
    return int(index), int(count)


def dimension(text: str) -> tuple[str, int]:
    name, _, size = text.partition("=")
    return name, int(size)


def loaded(place: str) -> Any:
    """The object that MODULE:NAME names. The module may be in the working directory."""
    module, colon, name = place.rpartition(":")
    if not colon or not module or not name:
        raise ValueError(f"expected MODULE:FUNCTION, found {place!r}")
    if module.endswith(".py"):
        spec = importlib.util.spec_from_file_location(pathlib.Path(module).stem, module)
        if not pathlib.Path(module).exists() or spec is None or spec.loader is None:
            raise ImportError(f"there is no file {module}")
        found = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = found
        spec.loader.exec_module(found)
    else:
        sys.path.insert(0, "")
        found = importlib.import_module(module)
    return functools.reduce(getattr, name.split("."), found)


if __name__ == "__main__":
    sys.exit(main())
