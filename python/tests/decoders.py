# SPDX-License-Identifier: Apache-2.0
"""Small language models with a cache, in the forms that onnxruntime-genai's folders are made of (test_genai.py).

Their weights are random, and large enough that greedy decoding does not repeat one token.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np

VOCABULARY, WIDTH, HEADS, HEAD = 96, 32, 4, 8


def appended(past, new, start):
    return jnp.concatenate([past, new], axis=2)


def written(past, new, start):
    return jax.lax.dynamic_update_slice(past, new, (0, 0, start, 0))


def visible(attention_mask, start, tokens, window=None):
    """A mask (batch, 1, token, column): true for the columns of the cache that a new token attends to."""
    rows, columns = start + jnp.arange(tokens)[:, None], jnp.arange(attention_mask.shape[1])
    seen = columns <= rows
    if window:
        seen &= columns > rows - window
    return seen & (attention_mask[:, None, None] == 1)


def attended(queries, keys, values, mask, cap=None):
    """Attention of (batch, head, token, feature); keys and values may have fewer heads."""
    groups = queries.shape[1] // keys.shape[1]
    keys, values = jnp.repeat(keys, groups, axis=1), jnp.repeat(values, groups, axis=1)
    scores = queries @ keys.mT / np.sqrt(queries.shape[-1]).astype("float32")
    if cap:
        scores = cap * jnp.tanh(scores / cap)
    return jax.nn.softmax(jnp.where(mask, scores, jnp.finfo(scores.dtype).min)) @ values


def heads(x, count):
    return x.reshape(*x.shape[:2], count, -1).transpose(0, 2, 1, 3)


def joined(x):
    return x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)


def rotated(x, positions):
    """Rotary embedding of (batch, head, token, feature)."""
    half = x.shape[-1] // 2
    angles = positions[:, None, :, None] * 10000.0 ** -(jnp.arange(half) / half)
    sine, cosine = jnp.sin(angles), jnp.cos(angles)
    a, b = x[..., :half], x[..., half:]
    return jnp.concatenate([a * cosine - b * sine, b * cosine + a * sine], axis=-1)


def llama(update, layers=2, key_value_heads=2):
    """Flax NNX: grouped queries, rotary embedding, RMSNorm, a gate."""
    from flax import nnx

    class Block(nnx.Module):
        def __init__(self, rngs):
            linear = functools.partial(nnx.Linear, use_bias=False, rngs=rngs)
            self.norms = nnx.List([nnx.RMSNorm(WIDTH, rngs=rngs), nnx.RMSNorm(WIDTH, rngs=rngs)])
            self.query, self.out = linear(WIDTH, HEADS * HEAD), linear(HEADS * HEAD, WIDTH)
            self.key, self.value = (linear(WIDTH, key_value_heads * HEAD) for _ in range(2))
            self.gate, self.up, self.down = linear(WIDTH, 64), linear(WIDTH, 64), linear(64, WIDTH)

        def __call__(self, x, mask, positions, start, cache):
            y = self.norms[0](x)
            queries = rotated(heads(self.query(y), HEADS), positions)
            keys = update(cache[0], rotated(heads(self.key(y), key_value_heads), positions), start)
            values = update(cache[1], heads(self.value(y), key_value_heads), start)
            x += self.out(joined(attended(queries, keys, values, mask)))
            y = self.norms[1](x)
            return x + self.down(nnx.silu(self.gate(y)) * self.up(y)), (keys, values)

    class Llama(nnx.Module):
        def __init__(self, rngs):
            self.embed = nnx.Embed(VOCABULARY, WIDTH, rngs=rngs)
            self.blocks = nnx.List([Block(rngs) for _ in range(layers)])
            self.norm = nnx.RMSNorm(WIDTH, rngs=rngs)
            self.head = nnx.Linear(WIDTH, VOCABULARY, use_bias=False, rngs=rngs)

        def __call__(self, input_ids, attention_mask, position_ids, start, cache):
            x, present = 4 * self.embed(input_ids), []
            mask = visible(attention_mask, start, input_ids.shape[1])
            for block, past in zip(self.blocks, cache):
                x, kept = block(x, mask, position_ids, start, past)
                present.append(kept)
            return self.head(self.norm(x)), present

    return Llama(nnx.Rngs(3)), [(f"B,{key_value_heads},P,{HEAD}",) * 2] * layers


def gemma(update, layers=2):
    """Flax Linen: one head of keys, a window in every other layer, soft caps, the embedding as the head."""
    from flax import linen

    class Block(linen.Module):
        window: int | None

        @linen.compact
        def __call__(self, x, attention_mask, positions, start, cache):
            dense = lambda size, name: linen.Dense(size, use_bias=False, name=name)
            norm = lambda y, name: 3 * linen.RMSNorm(name=name)(y)
            y = norm(x, "before")
            queries = rotated(heads(dense(HEADS * HEAD, "query")(y), HEADS), positions)
            keys = update(cache["cached_key"], rotated(heads(dense(HEAD, "key")(y), 1), positions), start)
            values = update(cache["cached_value"], heads(dense(HEAD, "value")(y), 1), start)
            mask = visible(attention_mask, start, x.shape[1], self.window)
            y = dense(WIDTH, "out")(joined(attended(queries, keys, values, mask, cap=20.0)))
            x += norm(y, "after")
            y = norm(x, "between")
            y = dense(WIDTH, "down")(jax.nn.gelu(dense(64, "gate")(y)) * dense(64, "up")(y))
            return x + norm(y, "last"), {"cached_key": keys, "cached_value": values}

    class Gemma(linen.Module):
        @linen.compact
        def __call__(self, input_ids, attention_mask, position_ids, start, cache):
            embed = linen.Embed(VOCABULARY, WIDTH)
            x, present = embed(input_ids) * np.sqrt(WIDTH).astype("float32"), {}
            for i in range(layers):
                block = Block(6 if i % 2 else None, name=f"layer_{i}")
                x, present[f"layer_{i}"] = block(x, attention_mask, position_ids, start, cache[f"layer_{i}"])
            logits = 10.0 * embed.attend(linen.RMSNorm(name="norm")(x))
            return 30.0 * jnp.tanh(logits / 30.0), present

    net, cache = Gemma(), {f"layer_{i}": {name: jnp.zeros((1, 1, 4, HEAD)) for name in PAIR} for i in range(layers)}
    ids = jnp.zeros((1, 4), "int32")
    mask = jnp.ones((1, 4 if update is written else 8), "int32")
    parameters = jax.jit(net.init)(jax.random.key(5), ids, mask, ids, jnp.int32(0), cache)
    return functools.partial(net.apply, parameters), jax.tree_util.tree_map(lambda _: f"B,1,P,{HEAD}", cache)


PAIR = ("cached_key", "cached_value")


def gpt2(update, layers=2, width=WIDTH):
    """JAX alone: learned positions, LayerNorm, columns before heads in the cache."""
    numbers = np.random.default_rng(7)

    def matrix(*shape):
        return jnp.asarray(numbers.normal(scale=shape[0] ** -0.5, size=shape), "float32")

    tokens, positions, head = 16 * matrix(VOCABULARY, width), 2 * matrix(64, width), 4 * matrix(width, VOCABULARY)
    block = [(width, 3 * width), (width, width), (width, 2 * width), (2 * width, width)]
    blocks = [[matrix(*shape) for shape in block] for _ in range(layers)]
    swapped = lambda past, new, start: update(past.swapaxes(1, 2), new, start)

    def norm(x):
        return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)

    def gpt2_step(input_ids, attention_mask, position_ids, start, cache):
        x, present = tokens[input_ids] + positions[position_ids], {"k": [], "v": []}
        mask = visible(attention_mask, start, input_ids.shape[1])
        for (inner, out, wide, narrow), *past in zip(blocks, cache["k"], cache["v"]):
            queries, *new = (heads(part, HEADS) for part in jnp.split(norm(x) @ inner, 3, axis=-1))
            keys, values = (swapped(old, part, start) for old, part in zip(past, new))
            x += joined(attended(queries, keys, values, mask)) @ out
            x += jax.nn.gelu(norm(x) @ wide) @ narrow
            present["k"].append(keys.swapaxes(1, 2))
            present["v"].append(values.swapaxes(1, 2))
        return norm(x) @ head, present

    return gpt2_step, {name: [f"B,P,{HEADS},{width // HEADS}"] * layers for name in "kv"}


def greedy(step, cache, prompt, count, shared=False):
    """The tokens that JAX chooses. Each step computes all tokens again, in arrays of one size, with an empty cache."""
    size = len(prompt) + count
    symbols = {"B": 1, "P": size if shared else 0}
    extents = lambda text: [int(symbols.get(extent, extent)) for extent in text.split(",")]
    empty = jax.tree_util.tree_map(lambda text: jnp.zeros(extents(text)), cache)
    compute = jax.jit(
        lambda ids: step(
            input_ids=ids,
            attention_mask=jnp.ones((1, size), "int32"),
            position_ids=jnp.arange(size)[None],
            start=jnp.int32(0),
            cache=empty,
        )[0]
    )
    tokens = list(prompt)
    for _ in range(count):
        logits = compute(jnp.asarray([tokens + [0] * (size - len(tokens))], "int32"))
        tokens.append(int(logits[0, len(tokens) - 1].argmax()))
    return tokens
