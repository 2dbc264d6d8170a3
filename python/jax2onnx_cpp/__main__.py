"""Converts a function in a file or module: python -m jax2onnx_cpp MODULE:FUNCTION --args "f32[B,8]" -o model.onnx

`jax2onnx` is the tool for texts that JAX has printed.
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
    """Returns the exit code: 0, 1 for wrong usage or a model that differs, 2 or 3 as the tool for what it refuses."""
    options = parser().parse_args(argv)
    try:
        fn = loaded(options.function)
        model = to_onnx(
            fn,
            *options.args,
            opset=options.opset,
            dims=dict(options.dim),
            target=options.target,
            no_fuse=options.no_fuse,
            unroll=options.unroll,
            assume_finite=options.assume_finite,
            weight_format=options.weight_format,
            keep_unsupported=options.keep_unsupported,
            shard=options.shard,
            sharding_info=options.sharding_info,
            input_names=options.input_names,
            output_names=options.output_names,
            source_info=options.source_info,
        )
        model.save(options.output, external_data=options.external_data or None)
    except ConversionError as error:
        print(error, file=sys.stderr)
        return {"unsupported": 3, "malformed": 2, "io": 4, "unsafe": 6}.get(error.kind, 70)
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        print(f"jax2onnx_cpp: {error}", file=sys.stderr)
        return 1
    print(f"{options.output}: {model!r}")
    if not options.verify:
        return 0
    found = verify(model, fn, *options.args)
    print(found)
    return 0 if found else 1


def parser() -> argparse.ArgumentParser:
    description, _, more = __doc__.partition("\n\n")
    result = argparse.ArgumentParser("python -m jax2onnx_cpp", description=description, epilog=more)
    add = result.add_argument
    add("function", metavar="MODULE:FUNCTION", help="pkg.module:name, or file.py:name; the name may have dots")
    add("--args", nargs="*", default=[], metavar="SHAPE", help="such as 'f32[B,8]': one for each argument")
    add("-o", "--output", default="model.onnx", metavar="FILE", help="default: model.onnx")
    add("--opset", type=int, help=f"default: {_core.default_opset}, or 22 if that has all operators of the model")
    add("--dim", type=dimension, action="append", default=[], metavar="B=8", help="fixes a symbolic dimension")
    add("--target", choices=_core.targets, default="portable", help="default: portable")
    add("--no-fuse", type=names, default=[], metavar="RULE,...", help="rules that are left out")
    add("--unroll", type=int, metavar="N", help="default: what suits the target")
    add("--assume-finite", action="store_true", help="no value is NaN or infinite, except constants")
    add("--weight-format", choices=_core.weight_formats, help="store weights of float32 in fewer bits")
    add("--keep-unsupported", action="store_true", help="write unsupported primitives as operators of the domain jax")
    add("--shard", type=shard, metavar="I/N", help="the model of device I of the N that a shard_map or pmap has")
    add("--sharding-info", action="store_true", help="state at the nodes how tensors are divided among devices")
    add("--input-names", type=names, default=[], metavar="NAME,...")
    add("--output-names", type=names, default=[], metavar="NAME,...")
    add("--external-data", action="store_true", help="weights in a file beside the model")
    add("--source-info", action="store_true", help="nodes name the line of Python that they come from")
    add("--verify", action="store_true", help="compare with JAX in ONNX Runtime")
    add("--version", action="version", version=__version__)
    return result


def names(text: str) -> list[str]:
    return text.split(",")


def shard(text: str) -> tuple[int, int]:
    index, _, count = text.partition("/")
    return int(index), int(count)


def dimension(text: str) -> tuple[str, int]:
    name, _, size = text.partition("=")
    return name, int(size)


def loaded(place: str) -> Any:
    """The object that MODULE:NAME names. Modules of the working directory are found."""
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
