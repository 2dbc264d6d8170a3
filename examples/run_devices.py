#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the models of all devices of a program, as `jax2onnx --shard I/N` writes them, on one machine: a thread for each
device in ONNX's reference implementation. The operators of the domain jax.collectives are defined here; an extension
of another runtime computes the same with its own means of communication (docs/devices.md).

    for i in 0 1 2 3; do jax2onnx block.jaxpr --shard $i/4 -o block-$i.onnx; done
    run_devices.py block-0.onnx block-1.onnx block-2.onnx block-3.onnx --inputs inputs.npz --outputs outputs.npz

The inputs are those of the whole program, in order, and so are the outputs.
"""

import argparse
import collections
import concurrent.futures
import threading

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

SECONDS = 60  # that a device waits for another one


class Exchange:
    """Exchanges values between devices: each of a group hands one over, and gets the values of all."""

    def __init__(self):
        self.lock = threading.Lock()
        self.places = collections.defaultdict(dict)
        self.barriers = {}

    def among(self, devices, channel, own, value):
        key = channel, tuple(sorted(devices))
        with self.lock:
            barrier = self.barriers.setdefault(key, threading.Barrier(len(devices), timeout=SECONDS))
        self.places[key][own] = value
        barrier.wait()
        values = [self.places[key][device] for device in devices]
        barrier.wait()
        return values

    def fail(self):
        """Wakes devices that would wait for one that has failed."""
        with self.lock:
            for barrier in self.barriers.values():
                barrier.abort()


here = threading.local()  # of the thread: its device and the exchange


class Collective(OpRun):
    """The attributes `devices`, in the order of the group, and `channel` say who exchanges values, and which ones."""

    op_domain = "jax.collectives"

    def all_values(self, x):
        return here.exchange.among(list(self.devices), self.channel, here.device, x)

    def place(self):
        return list(self.devices).index(here.device)


def reduced(values, reduction):
    by = {"sum": np.add, "max": np.maximum, "min": np.minimum}[reduction]
    result = values[0]
    for value in values[1:]:
        result = by(result, value)
    return np.asarray(result, dtype=values[0].dtype)


class AllReduce(Collective):
    def _run(self, x, **_):
        return (reduced(self.all_values(x), self.reduction),)


class AllGather(Collective):
    def _run(self, x, **_):
        return (np.concatenate(self.all_values(x), self.axis),)


class ReduceScatter(Collective):
    def _run(self, x, **_):
        total = reduced(self.all_values(x), self.reduction)
        return (np.split(total, len(self.devices), self.axis)[self.place()],)


class AllToAll(Collective):
    def _run(self, x, **_):
        parts = [np.split(value, len(self.devices), self.split_axis)[self.place()] for value in self.all_values(x)]
        return (np.concatenate(parts, self.concat_axis),)


class CollectivePermute(Collective):
    def _run(self, x, **_):
        pairs = list(self.source_target_pairs)
        source = dict(zip(pairs[1::2], pairs[::2])).get(self.place())
        values = self.all_values(x)
        return (np.zeros_like(x) if source is None else values[source],)


class Broadcast(Collective):
    def _run(self, x, **_):
        return (self.all_values(x)[self.source],)


class AxisIndex(OpRun):
    op_domain = "jax.collectives"

    def _run(self, **_):
        return (np.asarray(self.index, np.int32),)


OPERATORS = [AllReduce, AllGather, ReduceScatter, AllToAll, CollectivePermute, Broadcast, AxisIndex]


def parts_of(model, name):
    """For each axis of an input or output, the index of its part and the number of parts; [] for a whole array."""
    for entry in model.metadata_props:
        if entry.key == f"jax2onnx.part.{name}":
            return [(0, 1) if p == ":" else tuple(map(int, p.split("/"))) for p in entry.value.split(", ")]
    return []


def cut(array, parts):
    for axis, (number, count) in enumerate(parts):
        array = np.split(array, count, axis)[number]
    return array


def joined(results, places):
    """The array of which each device has the part at its place."""
    whole = np.empty([n * count for n, (_, count) in zip(results[0].shape, places[0])], results[0].dtype)
    for result, parts in zip(results, places):
        whole[tuple(slice(k * n, k * n + n) for n, (k, _) in zip(result.shape, parts))] = result
    return whole


def with_conditions(model):
    """The model with a condition for each Loop: the reference implementation takes an absent one for False."""
    out = onnx.ModelProto()
    out.CopyFrom(model)

    def visit(nodes):
        for node in nodes:
            if node.op_type == "Loop" and node.input[1] == "":
                node.input[1] = "always"
            for attribute in node.attribute:
                visit(attribute.g.node)

    visit(out.graph.node)
    out.graph.initializer.append(onnx.numpy_helper.from_array(np.array(True), "always"))
    return out


def run(models, inputs):
    """The outputs of a program whose devices have these models, for its inputs: arrays in the order of the models'."""
    exchange = Exchange()

    def of_device(number, model):
        here.device, here.exchange = number, exchange
        feed = {}
        for value, array in zip(model.graph.input, inputs, strict=True):
            feed[value.name] = cut(array, parts_of(model, value.name))
        try:
            return ReferenceEvaluator(with_conditions(model), new_ops=OPERATORS).run(None, feed)
        except Exception:
            exchange.fail()
            raise

    with concurrent.futures.ThreadPoolExecutor(len(models)) as threads:
        running = [threads.submit(of_device, *device) for device in enumerate(models)]
    failures = [r.exception() for r in running if r.exception()]
    for failure in sorted(failures, key=lambda f: isinstance(f, threading.BrokenBarrierError)):
        raise failure  # the one for which the others waited in vain
    results = [r.result() for r in running]
    outputs = []
    for i, value in enumerate(models[0].graph.output):
        places = [parts_of(model, value.name) for model in models]
        of_all = [result[i] for result in results]
        outputs.append(joined(of_all, places) if places[0] else of_all[0])
    return outputs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--inputs", required=True, metavar="FILE")
    parser.add_argument("--outputs", required=True, metavar="FILE")
    options = parser.parse_args()
    with np.load(options.inputs) as arrays:
        inputs = [arrays[key] for key in arrays.files]
    outputs = run([onnx.load(model) for model in options.models], inputs)
    np.savez(options.outputs, **{f"output_{i}": array for i, array in enumerate(outputs)})


if __name__ == "__main__":
    main()
