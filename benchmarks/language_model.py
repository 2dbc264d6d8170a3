#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures a step of decoding in onnxruntime-genai, for the forms in which jax2onnx_cpp.genai saves a decoder.

    pip install . onnxruntime-genai    # in a clone; also needs JAX
    benchmarks/language_model.py [--layers 12 --width 768 --prompt 128 --steps 32 --rounds 5 --threads 1]

The decoder has Llama's form and random weights. All folders are saved first; generations take turns. Times are process
times, which with one thread depend less on what else the machine does: the median of the tokens after the prompt, the
best of all rounds. The error is that of the logits after the prompt, relative to the largest of JAX. Prints Markdown.
"""

import argparse
import pathlib
import statistics
import tempfile
import time

import jax
import jax.numpy as jnp
import numpy as np
import onnxruntime_genai

from jax2onnx_cpp import genai

VOCABULARY, HEAD = 32000, 64
CONTEXT = 2048
SHARED = dict(shared_cache=True)
FORMS = {
    "float32": {},
    "float32, `assume_finite=True`": dict(assume_finite=True),
    "float32, `shared_cache=True`": dict(assume_finite=True, **SHARED),
    "`weight_format='int8'`": dict(assume_finite=True, weight_format="int8"),
    "`weight_format='int4'`": dict(assume_finite=True, weight_format="int4"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in dict(layers=12, width=768, prompt=128, steps=32, rounds=5, threads=1).items():
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folders = {name: pathlib.Path(folder) / str(i) for i, name in enumerate(FORMS)}
        for name, settings in FORMS.items():
            step, cache = decoder(options, settings.get("shared_cache", False))
            session = {"session_options": {"intra_op_num_threads": options.threads}}
            config = {"model": {"decoder": session}}
            tokens = dict(context_length=CONTEXT, eos_token_id=VOCABULARY - 1)
            genai.save_folder(step, folders[name], cache=cache, config=config, **tokens, **settings)
        print("| folder | size, MB | a token, ms | the prompt, ms | error |\n| --- | --- | --- | --- | --- |")
        for name, (token, prompt, error) in measured(folders, options).items():
            size = sum(file.stat().st_size for file in folders[name].iterdir()) / 1e6
            print(f"| {name} | {size:.0f} | {1e3 * token:.1f} | {1e3 * prompt:.0f} | {error:.1e} |")


def measured(folders, options):
    models = {name: onnxruntime_genai.Model(str(folder)) for name, folder in folders.items()}
    prompt = np.random.default_rng(0).integers(1, VOCABULARY - 1, options.prompt).astype("int32")
    found = {name: [] for name in folders}
    logits = {}
    for _ in range(options.rounds):
        for name, model in models.items():
            parameters = onnxruntime_genai.GeneratorParams(model)
            parameters.set_search_options(max_length=CONTEXT)
            generator = onnxruntime_genai.Generator(model, parameters)
            begin = time.process_time()
            generator.append_tokens(prompt)
            first = time.process_time() - begin
            logits[name] = np.array(generator.get_logits()).ravel()
            generator.generate_next_token()
            times = []
            for _ in range(options.steps):
                begin = time.process_time()
                generator.generate_next_token()
                times.append(time.process_time() - begin)
            found[name].append((statistics.median(times), first))
    exact = of_jax(options, prompt)
    return {
        name: (*map(min, zip(*pairs)), np.abs(logits[name] - exact).max() / np.abs(exact).max())
        for name, pairs in found.items()
    }


def of_jax(options, prompt):
    """The logits after the prompt."""
    step, cache = decoder(options, shared=False)
    sizes = {"B": 1, "P": 0}
    shape = [int(sizes.get(extent, extent)) for extent in cache[0][0].split(",")]
    empty = [(jnp.zeros(shape),) * 2] * options.layers
    mask, positions = jnp.ones((1, prompt.size)), jnp.arange(prompt.size)
    return np.asarray(step(prompt[None], mask, positions[None], 0, empty)[0][0, -1])


def decoder(options, shared):
    width, heads = options.width, options.width // HEAD
    groups = heads // 3 if heads % 3 == 0 else heads
    numbers = np.random.default_rng(1)

    def matrix(rows, columns):
        return jnp.asarray(numbers.normal(scale=rows**-0.5, size=(rows, columns)), "float32")

    shapes = [(width, width)] * 2 + [(width, groups * HEAD)] * 2 + [(width, 3 * width)] * 2 + [(3 * width, width)]
    blocks = [[matrix(*shape) for shape in shapes] for _ in range(options.layers)]
    embedding, head = matrix(VOCABULARY, width) * VOCABULARY**0.5, matrix(width, VOCABULARY)

    def norm(x):
        return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6)

    def rotated(x, positions):
        angles = positions[:, :, None, None] * 10000.0 ** -(jnp.arange(HEAD // 2) / (HEAD // 2))
        a, b = jnp.split(x, 2, axis=-1)
        sine, cosine = jnp.sin(angles), jnp.cos(angles)
        return jnp.concatenate([a * cosine - b * sine, b * cosine + a * sine], axis=-1)

    def update(past, new, start):
        new = new.swapaxes(1, 2)
        if shared:
            return jax.lax.dynamic_update_slice(past, new, (0, 0, start, 0))
        return jnp.concatenate([past, new], axis=2)

    def step(input_ids, attention_mask, position_ids, start, cache):
        rows, columns = start + jnp.arange(input_ids.shape[1])[:, None], jnp.arange(attention_mask.shape[1])
        mask = (columns <= rows) & (attention_mask[:, None, None] == 1)
        x, present = embedding[input_ids], []
        for (query, out, key, value, gate, up, down), past in zip(blocks, cache):
            y = norm(x)
            queries, new, values = ((y @ weight).reshape(*y.shape[:2], -1, HEAD) for weight in (query, key, value))
            keys = update(past[0], rotated(new, position_ids), start)
            values = update(past[1], values, start)
            present.append((keys, values))
            keys, values = keys.swapaxes(1, 2), values.swapaxes(1, 2)
            y = jax.nn.dot_product_attention(rotated(queries, position_ids), keys, values, mask=mask)
            x += y.reshape(x.shape) @ out
            y = norm(x)
            x += (jax.nn.silu(y @ gate) * (y @ up)) @ down
        return norm(x) @ head, present

    return step, [(f"B,{groups},P,{HEAD}",) * 2] * options.layers


if __name__ == "__main__":
    main()
