# SPDX-License-Identifier: Apache-2.0
"""Checks that the written models are sound and compute the same as the original. This runs in a separate process, since
ONNX Runtime can crash its process."""

import itertools
import re
import subprocess
import sys

limit = 1 << 16  # elements of an input
longest_run = 10  # seconds
no_kernel = re.compile(r"implementation for Identity\b")  # inserted for outputs that are initializers of small types


class worker:
    """The process that judges. It is restarted if it dies."""

    def __enter__(self):
        self.process = None
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.kill()

    def verdict(self, model, written, optimized):
        """`same`, None for a model that is sound but cannot be compared, or the problem."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True,
            )  # fmt: skip
            self.stage = None
        self.process.stdin.write(f"{model}\t{written}\t{optimized}\n")
        self.process.stdin.flush()
        stage = None
        while line := self.process.stdout.readline():
            if not line.startswith("at "):
                return line.strip() or None
            stage = line.strip().removeprefix("at ")
        self.process.wait()
        return None if stage == "original" else f"died: {stage} with {self.process.returncode}"


def judge():
    import os
    import threading

    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # ONNX Runtime prints to standard output

    import numpy as np
    import onnx
    import onnxruntime
    from onnx.reference import ReferenceEvaluator

    def say(text):
        print(text, file=answers, flush=True)

    onnxruntime.set_default_logger_severity(4)

    def failure_of_check(path):
        try:
            onnx.checker.check_model(path, full_check=True)
        except Exception as problem:
            return str(problem)
        return None

    def session(path):
        options = onnxruntime.SessionOptions()
        options.log_severity_level, options.intra_op_num_threads = 4, 1
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        return onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])

    def values(dtype, extents, rng, odd):
        """Random numbers of a type, including special ones if `odd`."""
        if dtype.kind == "O":
            return rng.choice(np.array(["a", "bc", "", "1"], object), extents)
        if dtype.kind == "b":
            return rng.integers(0, 2, extents).astype(dtype)
        if dtype.kind in "iu":
            return rng.integers(0, 4, extents).astype(dtype)
        numbers = np.asarray(rng.standard_normal(extents) * 2)
        if odd:
            chosen = np.asarray(rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0], extents))
            numbers = np.where(rng.random(extents) < 0.4, chosen, numbers)
        return numbers.astype(dtype)

    def feeds(graph):
        """Inputs to try, or None if inputs have unsupported types or sizes."""
        initializers = {i.name for i in graph.initializer}
        inputs = [v for v in graph.input if v.name not in initializers]
        if any(not v.type.HasField("tensor_type") for v in inputs):
            return
        for size, odd in ((3, False), (2, True)):
            rng, feed = np.random.default_rng(size), {}
            for v in inputs:
                t = v.type.tensor_type
                extents = [d.dim_value if d.HasField("dim_value") else size for d in t.shape.dim]
                dtype = onnx.helper.tensor_dtype_to_np_dtype(t.elem_type)
                if any(d < 0 for d in extents) or np.prod(extents, dtype=float) > limit or dtype.kind == "V":
                    return
                feed[v.name] = values(dtype, extents, rng, odd)
            yield feed

    def run(model, feed):
        options = onnxruntime.RunOptions()
        timer = threading.Timer(longest_run, setattr, (options, "terminate", True))
        timer.start()
        try:
            return model.run(None, feed, options), None
        except Exception as problem:
            return None, str(problem)
        finally:
            timer.cancel()

    def differ(a, b):
        """The difference between two results; None if they are close, since rules may change the order of sums."""
        if isinstance(a, list) or isinstance(b, list):
            if type(a) is not type(b) or len(a) != len(b):
                return "another sequence"
            return next((d for d in itertools.starmap(differ, zip(a, b)) if d), None)
        if a is None or b is None:
            return None if a is b else "an optional"
        a, b = np.asarray(a), np.asarray(b)
        if a.dtype != b.dtype or a.shape != b.shape:
            return f"{a.dtype}{list(a.shape)} became {b.dtype}{list(b.shape)}"
        if a.dtype.kind in "fc":
            tolerance = 1e-2 if a.dtype.itemsize == 2 else 1e-4
            same = np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True)
        else:
            same = np.array_equal(a, b)
        return None if same else f"{a.ravel()[:6]} became {b.ravel()[:6]}"

    def differences(proto, expected, results):
        pairs = zip(proto.graph.output, expected, results)
        return next((f"{o.name}: {d}" for o, a, b in pairs if (d := differ(a, b))), None)

    def by_reference(proto, feed, results):
        """Returns whether ONNX's reference implementation gives these results, so that ONNX Runtime is wrong."""
        try:
            return not differences(proto, ReferenceEvaluator(proto).run(None, feed), results)
        except Exception:
            return False

    def nodes_and_bodies(proto):
        """All nodes of a model, and all graphs in their attributes."""
        nodes, bodies = [*proto.graph.node, *(n for f in proto.functions for n in f.node)], []
        for node in nodes:
            inner = [g for a in node.attribute for g in (a.g, *a.graphs)]
            nodes += [n for g in inner for n in g.node]
            bodies += inner
        return nodes, bodies

    def random(proto):
        kinds = ("Random", "Bernoulli", "Multinomial", "Dropout")
        return any(n.op_type.startswith(kinds) for n in nodes_and_bodies(proto)[0])

    def passes_inputs_on(proto):
        """Returns whether a body outputs one of its inputs, for which ONNX Runtime returns uninitialized memory."""
        return any({v.name for v in g.input} & {v.name for v in g.output} for g in nodes_and_bodies(proto)[1])

    def verdict(model, written, optimized):
        say("at original")
        sound = not failure_of_check(model) and not passes_inputs_on(onnx.load(model))
        others = {"written": written, "optimized": optimized}
        for what, path in others.items():
            say(f"at check of {what}")
            problem = failure_of_check(path)
            if problem and sound:
                return f"checker: {what}: {problem}"
            if problem:
                return ""  # the model states no types, or only runtimes accept it
        if not sound:
            model = others.pop("written")
        say("at original")
        proto = onnx.load(model)
        if not proto.graph.output:
            return ""  # ONNX Runtime does not load models without values
        try:
            original = session(model)
        except Exception:
            return ""
        sessions = {}
        for what, path in others.items():
            say(f"at load of {what}")
            try:
                sessions[what] = session(path)
            except Exception as problem:
                return "" if no_kernel.search(str(problem)) else f"load: {what}: {problem}"
        if random(proto):
            return ""
        compared = ""
        for feed in feeds(proto.graph):
            say("at original")
            expected, refused = run(original, feed)
            if refused:
                continue
            for what, other in sessions.items():
                say(f"at run of {what}")
                results, problem = run(other, feed)
                if problem:
                    return f"run: {what}: {problem}"
                d = differences(proto, expected, results)
                if d and not by_reference(proto, feed, results):
                    return f"value: {what}: {d}"
            compared = "same"
        return compared

    for line in sys.stdin:
        try:
            said = verdict(*line.rstrip("\n").split("\t"))
        except Exception as unexpected:
            said = f"judge: {type(unexpected).__name__}: {unexpected}"
        say(" ".join(said.split())[:600])


if __name__ == "__main__":
    judge()
