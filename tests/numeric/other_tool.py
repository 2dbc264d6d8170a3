#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Applies one of the tools below to models, and runs the results in ONNX Runtime; tools.py starts this script in an
environment that has them. Arguments and answers are those of other_runtime.py.
"""

import pathlib

import onnx
import onnx.compose
import onnx.utils
import onnx.version_converter

import other_runtime
import run

TOOLS = {}


def tool(function):
    """Registers a function of a model's path, the model, its inputs and the path of the result. The function returns
    the result as a model or writes it to that path."""

    def outputs(path, model, feeds):
        written = f"{path}.{function.__name__}.onnx"
        pathlib.Path(written).unlink(missing_ok=True)
        if (result := function(path, model, feeds, written)) is not None:
            onnx.save(result, written)
        return run.run(run.session_of(onnx.load(written)), list(feeds.values()), len(model.graph.output))

    TOOLS[function.__name__] = outputs
    return function


def dense_weights(model):
    """The constant float32 matrices by which computed values are multiplied."""
    constants = {x.name: x for x in model.graph.initializer}
    pairs = [node.input[:2] for node in model.graph.node if node.op_type in ("MatMul", "Gemm")]
    factors = [constants[b] for a, b in pairs if a not in constants and b in constants]
    return [x for x in factors if len(x.dims) == 2 and x.data_type == onnx.TensorProto.FLOAT]


def must_have(model, operator):
    if all(node.op_type != operator for node in model.graph.node):
        raise RuntimeError(f"leaves the model as it was: it has no {operator}")


@tool
def quantize_dynamic(path, model, feeds, written):
    """Weights get 7 bits: on a CPU without VNNI, sums of products of 8 bits saturate."""
    from onnxruntime.quantization import quantize_dynamic

    quantize_dynamic(path, written, reduce_range=True)
    must_have(onnx.load(written), "DynamicQuantizeLinear")


@tool
def quantize_static(path, model, feeds, written):
    """Quantizes products per channel, as QuantizeLinear and DequantizeLinear. The case's own inputs calibrate them."""
    from onnxruntime.quantization import CalibrationDataReader, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class samples(CalibrationDataReader):
        def __init__(self):
            self.left = [feeds]

        def get_next(self):
            return self.left.pop() if self.left else None

    products = {"per_channel": True, "reduce_range": True, "op_types_to_quantize": ["MatMul", "Gemm", "Conv"]}
    quant_pre_process(path, f"{written}.pre", skip_symbolic_shape=True)
    quantize_static(f"{written}.pre", written, samples(), activation_type=QuantType.QUInt8, **products)
    must_have(onnx.load(written), "DequantizeLinear")


@tool
def matmul_nbits(path, model, feeds, written):
    """Quantizes weights to 4 bits, and fails if a weight is not quantized."""
    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

    quantizer = MatMulNBitsQuantizer(model, block_size=16)
    quantizer.process()
    result = quantizer.model.model
    if left := dense_weights(result):
        raise RuntimeError(f"leaves {len(left)} matrices as they were")
    return result


@tool
def float16(path, model, feeds, written):
    from onnxruntime.transformers.float16 import convert_float_to_float16

    return convert_float_to_float16(model, keep_io_types=True)


@tool
def symbolic_shape_infer(path, model, feeds, written):
    from onnxruntime.tools.symbolic_shape_infer import SymbolicShapeInference

    return SymbolicShapeInference.infer_shapes(model)


@tool
def quant_pre_process(path, model, feeds, written):
    from onnxruntime.quantization.shape_inference import quant_pre_process

    quant_pre_process(path, written)


def ort_format(path, model, feeds):
    import onnxruntime

    run.add_casts(model.graph)
    options = onnxruntime.SessionOptions()
    options.optimized_model_filepath = f"{path}.ort"
    options.add_session_config_entry("session.save_model_format", "ORT")
    onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    session = onnxruntime.InferenceSession(options.optimized_model_filepath, providers=["CPUExecutionProvider"])
    return run.run(session, list(feeds.values()), len(model.graph.output))


TOOLS["ort_format"] = ort_format


@tool
def onnxsim(path, model, feeds, written):
    import onnxsim

    return onnxsim.simplify(model)[0]


@tool
def onnxslim(path, model, feeds, written):
    import onnxslim

    return onnxslim.slim(model)


@tool
def onnxscript_optimizer(path, model, feeds, written):
    import onnxscript.optimizer

    return onnxscript.optimizer.optimize(model)


@tool
def onnxscript_rewriter(path, model, feeds, written):
    import onnxscript.rewriter

    return onnxscript.rewriter.rewrite(model)


@tool
def version_converter_25(path, model, feeds, written):
    return onnx.version_converter.convert_version(model, 25)


@tool
def version_converter_20(path, model, feeds, written):
    return onnx.version_converter.convert_version(model, 20)


@tool
def onnxoptimizer(path, model, feeds, written):
    import onnxoptimizer

    return onnxoptimizer.optimize(model)


@tool
def graphsurgeon(path, model, feeds, written):
    import onnx_graphsurgeon

    graph = onnx_graphsurgeon.import_onnx(model)
    return onnx_graphsurgeon.export_onnx(graph.fold_constants().cleanup().toposort())


@tool
def polygraphy(path, model, feeds, written):
    from polygraphy.backend.onnx import fold_constants

    return fold_constants(model)


@tool
def shape_inference(path, model, feeds, written):
    return onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)


def copies(model, values):
    """A model of the same versions that copies these values: x to x/copy."""
    nodes = [onnx.helper.make_node("Identity", [value.name], [f"{value.name}/copy"]) for value in values]
    outputs = [onnx.ValueInfoProto(name=f"{value.name}/copy", type=value.type) for value in values]
    graph = onnx.helper.make_graph(nodes, "copies", values, outputs)
    return onnx.helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)


@tool
def merge_models(path, model, feeds, written):
    """Gives names of the model a prefix and merges it with models that copy its inputs and its outputs."""
    inner = onnx.compose.add_prefix(model, "model/")
    before, after = copies(model, model.graph.input), copies(inner, inner.graph.output)
    inputs = [(f"{value.name}/copy", f"model/{value.name}") for value in model.graph.input]
    outputs = [(value.name, value.name) for value in inner.graph.output]
    return onnx.compose.merge_models(onnx.compose.merge_models(before, inner, inputs), after, outputs)


@tool
def extract_model(path, model, feeds, written):
    names = [[value.name for value in values] for values in (model.graph.input, model.graph.output)]
    onnx.utils.extract_model(path, written, *names)


if __name__ == "__main__":
    other_runtime.main(TOOLS)
