# SPDX-License-Identifier: Apache-2.0
"""Compares the models that programs FOLDER wrote with NumPy: expected.py FOLDER [NAME...]

The function of a program's name makes inputs from a seeded generator and the outputs that NumPy computes. ONNX Runtime
runs the models. If ONNX Runtime cannot run a model, onnx.reference runs it, and the model's name is printed. Models
without such a function are checked by onnx.checker only.
"""

import math
import pathlib
import sys

import ml_dtypes
import numpy as np
import onnx
import onnx.reference
import onnxruntime

f32, f64, i32, i64 = np.float32, np.float64, np.int32, np.int64
PROGRAMS = {}
TOLERANCE = {}


def program(function=None, *, tolerance=1e-5):
    def add(f):
        PROGRAMS[f.__name__] = f
        TOLERANCE[f.__name__] = tolerance
        return f

    return add(function) if function else add


def numbers(*shape, scale=0.5, seed=0):
    n = math.prod(shape)
    return (((np.arange(n) * 37 + 11 + seed * 13) % 101 - 50) / 50.0 * scale).astype(f32).reshape(shape)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def log_softmax(x, axis=-1):
    return np.log(softmax(x, axis))


def erf(x):
    return np.vectorize(math.erf)(x)


def relu(x):
    return np.maximum(x, 0)


# Control flow


@program
def beam_search_step(r):
    scores, logits = r.normal(size=(2, 3)).astype(f32), r.normal(size=(2, 3, 7)).astype(f32)
    history = r.integers(0, 7, (2, 3, 5))
    total = (scores[:, :, None] + log_softmax(logits)).reshape(2, 21)
    place = np.argsort(-total, axis=1)[:, :3]
    kept = np.take_along_axis(history, np.repeat((place // 7)[:, :, None], 5, 2), 1)
    return dict(scores=scores, logits=logits, history=history), dict(
        best=np.take_along_axis(total, place, 1), longer=np.concatenate([kept, (place % 7)[:, :, None]], 2)
    )


@program
def greedy_decode(r):
    table, mix, head = numbers(9, 6, scale=0.9), numbers(6, 6, scale=0.4, seed=1), numbers(6, 9, scale=0.8, seed=2)
    first, state, sharp = i64(r.integers(1, 9)), r.normal(size=6).astype(f32), bool(r.integers(2))
    inputs = dict(first=first, state=state, sharp=np.bool_(sharp))
    token, tokens, scores = first, [], []
    for step in range(12):
        state = np.tanh((table[token] + state) @ mix)
        logits = state @ head
        scores.append((logits * 4 + step if sharp else softmax(logits)).max())
        token = logits.argmax()
        tokens.append(token)
        if token == 0:
            break
    return inputs, dict(last_state=state, tokens=np.array(tokens), scores=np.array(scores, f32)[:, None])


@program
def newton_root(r):
    a = r.uniform(0.5, 50, 6).astype(f32)
    x, count = a + 1, 0
    while np.abs(x * x - a).max() > 1e-3:
        x, count = (x + a / x) * f32(0.5), count + 1
    return dict(a=a), dict(root=x, count=i32(count))


@program
def bidirectional_filter(r):
    series, mask = r.normal(size=(6, 3, 4)).astype(f32), r.random((6, 3)) < 0.7
    rate = np.abs(numbers(4))

    def run(order):
        s, top = np.zeros((3, 4), f32), np.full((3, 4), -10, f32)
        all_s, errors = np.zeros_like(series), np.zeros_like(series)
        for t in order:
            s = np.where(mask[t][:, None], s + (series[t] - s) * rate, s)
            top = np.maximum(top, s)
            all_s[t], errors[t] = s, s - series[t]
        return all_s, errors, top

    forward, backward = run(range(6)), run(range(5, -1, -1))
    return dict(series=series, mask=mask), dict(
        joined=np.concatenate([forward[0], backward[0]], 2), highest=forward[2], errors=backward[1]
    )


@program
def dynamic_routing(r):
    votes, rounds, careful = r.normal(size=(2, 5, 3, 4)).astype(f32), 3, bool(r.integers(2))
    b = np.zeros((2, 5, 3))
    for k in range(rounds):
        s = (softmax(b, 2)[..., None] * votes).sum(1)
        q = (s * s).sum(-1, keepdims=True)
        pose = s * (q / (q + 1) / np.sqrt(q + 1e-9))
        agreed = (votes * pose[:, None]).sum(3)
        b = b + (agreed / (k + 2) if careful else agreed)
    return dict(votes=votes, rounds=i64(rounds), careful=np.bool_(careful)), dict(bias=b, pose=pose)


# Functions


@program
def swiglu_stack(r):
    x = h = r.normal(size=(3, 6)).astype(f32)
    for k, (inner, scale) in enumerate([(8, 0.5), (8, 0.4), (4, 0.3)]):
        gate, up = numbers(6, inner, scale=scale, seed=3 * k), numbers(6, inner, scale=scale, seed=3 * k + 1)
        a = h @ gate
        h = h + (a * sigmoid(a) * (h @ up)) @ numbers(inner, 6, scale=scale, seed=3 * k + 2)
    return dict(x=x), dict(y=h)


@program
def haar_pyramid(r):
    x, wide = r.normal(size=(3, 8)).astype(f32), r.normal(size=16).astype(f32)

    def halve(s):
        low = (s[..., ::2] + s[..., 1::2]) / 2
        return low, s[..., ::2] - low

    parts, low = [], x
    for _ in range(3):
        low, high = halve(low)
        parts.append(high)
    return dict(x=x, wide=wide), dict(
        pyramid=np.concatenate(parts + [low], 1), wide_low=halve(wide)[0], wide_high=halve(wide)[1]
    )


@program
def parametric_activation(r):
    x = r.normal(size=(4, 3)).astype(f32)
    return dict(x=x), dict(quarter=np.where(x < 0, x / 4, x) + 1, half=np.where(x < 0, x / 2, x) + 1)


def own_norm(x, scale):
    c = x - x.mean(-1, keepdims=True)
    return c / np.sqrt((c * c).mean(-1, keepdims=True) + 1e-5) * scale


@program
def shared_norm(r):
    x = r.normal(size=(4, 5)).astype(f32)
    return dict(x=x), dict(y=own_norm(own_norm(x, numbers(5, scale=1)) + x, numbers(5, scale=1, seed=3)))


@program(tolerance=1e-3)
def fused_product(r):
    a, b, bias = (r.normal(size=s).astype(f32) for s in [(3, 6), (4, 6), 4])
    product = a @ b.T / 2
    s = product + bias
    s = 0.5 * s * (1 + np.tanh(math.sqrt(2 / math.pi) * (s + 0.044715 * s**3)))
    return dict(a=a, b=b, bias=bias), dict(product=product, quick=s * sigmoid(s))


# Sequences


@program
def ragged_batches(r):
    x, lengths, shift = r.normal(size=(7, 4)).astype(f32), np.array([2, 4, 1]), r.normal(size=4).astype(f32)
    parts = np.split(x, np.cumsum(lengths)[:-1])
    return dict(x=x, lengths=lengths, shift=shift), dict(
        normed=np.concatenate([p - p.mean(0) + shift for p in parts]),
        totals=np.stack([p.sum(0, keepdims=True) for p in parts]),
        count=i64(3),
    )


@program
def pairs_of_sequences(r):
    left, right = ([r.normal(size=(2, 3)).astype(f32) for _ in range(3)] for _ in range(2))
    return dict(left=left, right=right), dict(
        products=[a * b for a, b in zip(left, right)], last_maximum=np.maximum(left[-1], right[-1])
    )


@program
def frame_queue(r):
    frames = r.normal(size=(5, 2, 3)).astype(f32)
    return dict(frames=frames), dict(window=frames[-3:], length=i64(4))


@program
def optional_mask(r):
    scores, mask = r.normal(size=(4, 4)).astype(f32), r.normal(size=(4, 4)).astype(f32)
    return dict(scores=scores, mask=mask), dict(
        y=softmax(scores + mask), unwrapped=relu(scores), has_nothing=np.bool_(False), absent=np.bool_(False)
    )


@program
def text_features(r):
    words, tokens = np.array(["a", "bb", "The", "Zed"], object), np.array([1, 2, 3, 2, 1, 2, 2, 3])
    # counts of the tokens 1 and 2, and of the pairs (1, 2) and (2, 3) with at most one token between them
    unigrams = [(tokens == 1).sum(), (tokens == 2).sum()]
    pairs = [sum((tokens[i], tokens[i + d]) == p for d in (1, 2) for i in range(8 - d)) for p in [(1, 2), (2, 3)]]
    address = [w + "@example.com" for w in words]
    return dict(words=words, tokens=tokens), dict(
        lower=np.array(["a", "bb", "zed"], object),
        pieces=np.array([a.split("@") for a in address], object),
        counts=np.array([2] * 4),
        valid=np.array([True, True, False, False]),
        label=np.array([5, 6, -7, -7]),
        pairs=np.array(unigrams + pairs, f32) * np.array([0.5, 1, 2, 4], f32),
        is_a=words == "a",
    )


# Element types


@program(tolerance=5e-3)
def half_precision(r):
    x = r.normal(size=(3, 4)).astype(f32)
    h = relu(x.astype(np.float16).astype(f32) @ numbers(4, 8).astype(np.float16).astype(f32)).astype(
        np.float16
    ) * np.float16(0.5)
    y = h.astype(f32) + f32(8) + f32(np.float16(0.1))
    z = y @ numbers(8, 2, seed=1).astype(ml_dtypes.bfloat16).astype(f32) + f32(ml_dtypes.bfloat16(0.1))
    return dict(x=x), dict(h=h, z=z)


@program
def narrow_weights(r):
    x, w = r.normal(size=8).astype(f32), numbers(8, scale=3)
    kinds = dict(
        e4m3fn=ml_dtypes.float8_e4m3fn,
        e4m3fnuz=ml_dtypes.float8_e4m3fnuz,
        e5m2=ml_dtypes.float8_e5m2,
        e5m2fnuz=ml_dtypes.float8_e5m2fnuz,
    )
    out = {name: x + w.astype(t).astype(f32) for name, t in kinds.items()}
    return dict(x=x), out | dict(uint4=np.array([15, 7, 0], f32), int4=np.array([-8, 7], f32))


@program
def smallest_weights(r):
    x, w = r.normal(size=8).astype(f32), numbers(8, scale=3)
    return dict(x=x), dict(
        e8m0fnu=np.array([0.5, 1, 2, 8], f32),
        e2m1fn=x + w.astype(ml_dtypes.float4_e2m1fn).astype(f32),
        int2=np.array([-2, -1, 0, 1, 1], f32),
        uint2=np.array([0, 2, 3], f32),
    )


@program(tolerance=1e-4)
def int4_blocks(r):
    x = r.normal(size=(2, 32)).astype(f32)
    packed = ((np.arange(128) * 7 + 3) % 16).reshape(32, 4)
    scales, zeros = numbers(2, 4, scale=0.1), np.array([[8, 7, 6, 9], [8, 8, 0, 15]])
    w = (packed - np.repeat(zeros, 16, 0)) * np.repeat(scales, 16, 0)
    y = x @ w
    return dict(x=x), dict(y=y, z=y @ (np.array([-8, 7, 0, 1, 2, 3, -1, -2, -3, 4, 5, 6]).reshape(4, 3) * 0.25))


@program
def every_constant(r):
    n = int(r.integers(1, 9))
    out = dict(
        i8=[-128, 127],
        i16=[-32768, 32767],
        i32=[-5, 1 << 30],
        i64=[-5, 1 << 40],
        u8=[0, 255],
        u16=[0, 65535],
        u32=[0, 4000000000],
        u64=[0, 1 << 40],
        f64=[0.1, -1e300],
        filled=[[7, 7], [7, 7]],
    )
    out = {name: np.array(v, f64) + n for name, v in out.items()}
    return dict(n=i64(n)), out | dict(
        flags_out=np.array([True, False, True]),
        shape=np.full((2, 3), numbers(1, scale=1)[0]),
        node_float=f32(2.5),
        node_ints=np.array([3, 1, 2]),
        node_string=np.array("text", object),
        node_strings=np.array(["a", "", "ü"], object),
        node_tensor=np.array([4, 5]),
        u16s=np.array([[1, 2], [3, 65535]], np.uint16),
    )


@program
def complex_constants(r):
    return {}, dict(complex_out=np.array([1 - 2j, 0.5 + 4j], np.complex64), wide_complex_out=np.array([1e100 - 2j]))


@program
def bit_hash(r):
    x, f = r.integers(0, 1 << 32, (4, 4)).astype(np.uint32), np.array([1, -2, np.nan, np.inf], f32)
    h = np.full(4, 2166136261, np.uint32)
    for k in range(4):
        h = (h ^ x[:, k]) * np.uint32(16777619)
        h = h ^ (h >> np.uint32(5))
    low = (h & np.uint32(255)) | np.uint32(256)
    odd = low % 2 == 1
    return dict(x=x, f=f), dict(
        hash=h, inverted=~low, both=odd & ~(f < 0), either=(odd | np.isnan(f)) ^ (f == np.inf), pattern=f.view(i32)
    )


# Quantization


@program
def dynamic_int8_layer(r):
    x = r.normal(size=(3, 8)).astype(f32)
    w = (np.arange(32) * 37 % 255 - 127).reshape(8, 4)
    low, high = min(0, x.min()), max(0, x.max())
    scale = f32((high - low) / f32(255))
    zero = np.clip(np.round(-low / scale), 0, 255)
    q = np.clip(np.round(x / scale) + zero, 0, 255)
    product = ((q - zero) @ w).astype(i32)
    return dict(x=x), dict(y=product * (scale * f32(0.01)), product=product)


def plain_conv(x, w, pads=0):
    x = np.pad(x, [(0, 0), (0, 0), (pads, pads), (pads, pads)])
    kh, kw = w.shape[2:]
    view = np.lib.stride_tricks.sliding_window_view(x, (kh, kw), axis=(2, 3))
    return np.einsum("bchwij,ocij->bohw", view, w)


@program
def quantized_convolution(r):
    image = r.uniform(-2, 2, (2, 1, 6, 6)).astype(f32)
    w = np.array([1, 2, -3, 4, 50, -6, 7, -80, 9, 9, 8, -70, 6, 5, 40, -3, 2, 1], f64).reshape(2, 1, 3, 3)
    q = np.clip(np.round(image / f32(0.02)) + 128, 0, 255).astype(f64) - 128
    total = plain_conv(q, w, 1) + np.array([100, -200]).reshape(1, 2, 1, 1)
    scale = 0.02 * np.array([0.01, 0.02]).reshape(1, 2, 1, 1) / 0.05
    y = np.clip(np.round(total * scale) + 100, 0, 255)
    return dict(image=image), dict(y=(y - 100) * f32(0.05), accumulated=plain_conv(q, w).astype(i32))


@program
def block_quantization(r):
    x = r.normal(size=(4, 32)).astype(f32)
    scales = np.abs(x.reshape(4, 2, 16)).max(2) / f32(7) + f32(1e-6)
    wide = np.repeat(scales, 16, 1)
    q = np.clip(np.round(x / wide), -8, 7).astype(i32)
    rows = np.abs(x).max(1, keepdims=True) / f32(127)
    return dict(x=x), dict(q=q, back=q * wide, row_error=np.clip(np.round(x / rows), -128, 127) * rows - x)


@program
def quantized_product(r):
    a, b = r.integers(0, 256, (2, 4)).astype(np.uint8), r.integers(0, 256, (4, 3)).astype(np.uint8)
    real = (a.astype(f64) - 120) @ (b.astype(f64) - 130) * 0.02 * 0.03
    y = np.clip(np.round(real / 0.1) + 110, 0, 255).astype(np.uint8)
    return dict(a=a, b=b), dict(y=y, restored=(y.astype(f32) - 110) * f32(0.1))


@program
def float8_roundtrip(r):
    x = np.concatenate([r.normal(size=6) * 20, [1000, -1000]]).astype(f32)

    def through(t, most):
        return np.clip(x / f32(0.5), -most, most).astype(t).astype(f32) * f32(0.5)

    return dict(x=x), dict(
        e4m3=through(ml_dtypes.float8_e4m3fn, 448),
        e5m2=through(ml_dtypes.float8_e5m2, 57344),
        half=x.astype(np.float16).astype(f32),
        brain=x.astype(ml_dtypes.bfloat16).astype(f32),
    )


# Vision


def unet_part(x, to, seed):
    h = plain_conv(x, numbers(to, x.shape[1], 3, 3, scale=0.2, seed=seed), 1)
    b, c, *size = h.shape
    g = h.reshape(b, 2, -1)
    n = ((g - g.mean(2, keepdims=True)) / np.sqrt(g.var(2, keepdims=True) + 1e-5)).reshape(h.shape) + 0.1
    return n * sigmoid(n)


@program
def unet_block(r):
    x = r.normal(size=(2, 4, 8, 8)).astype(f32)
    skip = unet_part(x, 4, 1)
    low = unet_part(skip.reshape(2, 4, 4, 2, 4, 2).max((3, 5)), 6, 2)
    wide = np.einsum("bchw,coij->bohiwj", low, numbers(6, 4, 2, 2, scale=0.3)).reshape(2, 4, 8, 8)
    y = unet_part(np.concatenate([skip, wide], 1), 4, 3) + x
    # the program's resize has a fixed batch of one
    return dict(x=x[:1]), dict(y=y[:1], large_mean=align_corners(y[:1], 12, 10).mean((2, 3), keepdims=True))


def align_corners(x, height, width):
    def matrix(n, m):
        out = np.zeros((m, n))
        for i in range(m):
            p = i * (n - 1) / (m - 1)
            k = min(int(p), n - 2)
            out[i, k], out[i, k + 1] = 1 - (p - k), p - k
        return out

    return np.einsum("Hh,Ww,bchw->bcHW", matrix(x.shape[2], height), matrix(x.shape[3], width), x)


@program
def detector_head(r):
    anchors = np.array([0, 0, 2, 2, 0, 0.5, 2, 2.5, 3, 3, 5, 5, 3, 3.2, 5, 5, 6, 6, 7, 7, 0, 0, 7, 7], f32).reshape(
        1, 6, 4
    )
    shifts, logits = r.normal(size=(1, 6, 4)).astype(f32), r.normal(size=(1, 3, 6)).astype(f32)
    boxes, scores = shifts * f32(0.1) + anchors, sigmoid(logits)

    def overlap(a, b):
        size = np.maximum(0, np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2])).prod()
        return size / ((a[2:] - a[:2]).prod() + (b[2:] - b[:2]).prod() - size)

    kept = []
    for c in range(3):
        mine = []
        for k in np.argsort(-scores[0, c]):
            if scores[0, c, k] > 0.3 and len(mine) < 2 and all(overlap(boxes[0, k], boxes[0, j]) <= 0.5 for j in mine):
                mine.append(k)
        kept += [(0, c, k) for k in mine]
    kept = np.array(kept)
    return dict(shifts=shifts, logits=logits), dict(scores=scores[tuple(kept.T)], boxes=boxes[:, kept[:, 2]], kept=kept)


def bilinear(x, p, q):
    """x[.., p, q] of one channel as RoiAlign samples it."""
    n, m = x.shape
    if p < -1 or p > n or q < -1 or q > m:
        return 0.0
    p, q = min(max(p, 0), n - 1), min(max(q, 0), m - 1)
    i, j = int(p), int(q)
    under, right = min(i + 1, n - 1), min(j + 1, m - 1)
    a, b = p - i, q - j
    return (x[i, j] * (1 - b) + x[i, right] * b) * (1 - a) + (x[under, j] * (1 - b) + x[under, right] * b) * a


@program
def roi_features(r):
    x, rois = r.normal(size=(1, 2, 8, 8)).astype(f32), np.array([[1, 1, 5, 6], [0, 2, 7, 7], [2, 3, 4, 4]], f32)
    aligned = np.zeros((3, 2, 3, 2))
    highest = np.zeros((3, 2, 2, 2))
    for n, (x1, y1, x2, y2) in enumerate(rois - f32(0.5)):
        h, w = (y2 - y1) / 3, (x2 - x1) / 2
        for c in range(2):
            for i in range(3):
                for j in range(2):
                    aligned[n, c, i, j] = np.mean(
                        [
                            bilinear(x[0, c], y1 + (i + (s + 0.5) / 2) * h, x1 + (j + (t + 0.5) / 2) * w)
                            for s in range(2)
                            for t in range(2)
                        ]
                    )
    for n, (x1, y1, x2, y2) in enumerate(rois.astype(int)):
        h, w = (y2 - y1 + 1) / 2, (x2 - x1 + 1) / 2
        for i in range(2):
            for j in range(2):
                rows = slice(y1 + math.floor(i * h), y1 + math.ceil((i + 1) * h))
                columns = slice(x1 + math.floor(j * w), x1 + math.ceil((j + 1) * w))
                highest[n, :, i, j] = x[0, :, rows, columns].max((1, 2))
    return dict(x=x, rois=rois), dict(
        aligned=aligned, highest=highest, norm=np.sqrt((x * x).sum((2, 3), keepdims=True))
    )


@program
def spatial_transformer(r):
    x = r.normal(size=(2, 1, 5, 5)).astype(f32)
    theta = (np.array([[1, 0, 0], [0, 1, 0]]) + 0.2 * r.normal(size=(2, 2, 3))).astype(f32)
    offset = (r.normal(size=(2, 8, 4, 4)) * 0.3).astype(f32)
    line = np.linspace(-1, 1, 5)
    base = np.stack(np.broadcast_arrays(line[None, :], line[:, None], np.ones((5, 5))), -1)
    grid = np.einsum("hwk,bik->bhwi", base, theta)
    turned, deformed = np.zeros_like(x, f64), np.zeros((2, 1, 4, 4))
    for b in range(2):
        for i in range(5):
            for j in range(5):
                q, p = np.clip((grid[b, i, j] + 1) * 2, 0, 4)
                turned[b, 0, i, j] = bilinear(x[b, 0], p, q)
        padded = np.pad(turned[b, 0], 1)  # samples of the deformed convolution fade to zero at the border

        def sample(p, q, padded=padded):
            p, q = p + 1, q + 1
            return bilinear(padded, p, q) if 0 <= p <= 6 and 0 <= q <= 6 else 0

        w = numbers(2, 2)
        o = offset[b].reshape(2, 2, 2, 4, 4)
        for i in range(4):
            for j in range(4):
                deformed[b, 0, i, j] = sum(
                    w[k, m] * sample(i + k + o[k, m, 0, i, j], j + m + o[k, m, 1, i, j])
                    for k in range(2)
                    for m in range(2)
                )
    return dict(x=x, theta=theta, offset=offset), dict(turned=turned, deformed=deformed)


@program
def pixel_tools(r):
    x = r.normal(size=(2, 4, 4, 6)).astype(f32)
    shuffled = x.reshape(2, 1, 2, 2, 4, 6).transpose(0, 1, 4, 2, 5, 3).reshape(2, 1, 8, 12)
    restored = shuffled.reshape(2, 1, 4, 2, 6, 2).transpose(0, 3, 5, 1, 2, 4).reshape(2, 4, 4, 6)
    cells = x.reshape(2, 4, 2, 2, 3, 2)
    peak = cells.max((3, 5), keepdims=True)
    padded = np.pad(x, [(0, 0), (0, 0), (1, 1), (1, 1)])
    view = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    ends = np.pad(np.abs(x), [(0, 0), (0, 0), (0, 1), (0, 1)])
    squares = np.pad(x * x, [(0, 0), (1, 1), (0, 0), (0, 0)])
    columns = x.reshape(2, 1, 2, 2, 4, 6)
    image = np.zeros((2, 1, 5, 7))
    for i in range(2):
        for j in range(2):
            image[:, :, i : i + 4, j : j + 6] += columns[:, :, i, j]
    return dict(x=x), dict(
        restored=restored,
        centred=np.pad(x[..., 1:5], [(0, 0), (0, 0), (1, 1), (0, 0)]),
        reflected=np.pad(x, [(0, 0), (0, 0), (1, 1), (2, 0)], mode="reflect"),
        wider=np.pad(x, [(0, 0), (0, 0), (0, 0), (1, 1)], constant_values=2.5),
        unpooled=np.where(cells == peak, cells, 0).reshape(x.shape),
        average=view.mean((4, 5)),
        lp=ends[:, :, :4, :6] + ends[:, :, 1:, :6] + ends[:, :, :4, 1:] + ends[:, :, 1:, 1:],
        lrn=x / (1 + 1e-4 / 3 * (squares[:, :-2] + squares[:, 1:-1] + squares[:, 2:])) ** 0.75,
        peak=x.max((2, 3), keepdims=True),
        image=image,
    )


# Networks


@program
def lstm_tagger(r):
    ids, lengths = r.integers(0, 11, (5, 2)), np.array([5, 3], i32)
    words = numbers(11, 4, scale=1)[ids]
    w, u, b = numbers(2, 12, 4), numbers(2, 12, 3, seed=1), numbers(2, 24, scale=0.2)
    y, cells = np.zeros((5, 2, 2, 3)), np.zeros((2, 2, 3))
    for d in range(2):
        for k in range(2):
            h = c = np.zeros(3)
            steps = range(lengths[k])
            for t in steps if d == 0 else reversed(steps):
                i, o, f, g = np.split(w[d] @ words[t, k] + u[d] @ h + b[d, :12] + b[d, 12:], 4)
                c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
                h = sigmoid(o) * np.tanh(c)
                y[t, d, k] = h
            cells[d, k] = c
    scores = y.transpose(0, 2, 1, 3).reshape(5, 2, 6) @ numbers(6, 5) + numbers(5)
    return dict(ids=ids, lengths=lengths), dict(tags=scores.argmax(2), scores=scores, cells=cells)


@program
def gru_forecast(r):
    x, h0 = r.normal(size=(4, 3, 2)).astype(f32), r.normal(size=(1, 3, 4)).astype(f32)
    w, u, b = numbers(12, 2), numbers(12, 4, scale=0.4, seed=2), numbers(24, scale=0.3)
    h, s, y = h0[0], np.zeros((3, 3)), []
    for t in range(4):
        a, c = x[t] @ w.T + b[:12], h @ u.T + b[12:]
        z, e = sigmoid(a[:, :4] + c[:, :4]), sigmoid(a[:, 4:8] + c[:, 4:8])
        h = (1 - z) * np.tanh(a[:, 8:] + e * c[:, 8:]) + z * h
        s = np.tanh(h @ numbers(3, 4).T + s @ numbers(3, 3).T)
        y.append(s)
    return dict(x=x, h0=h0), dict(y=np.array(y)[:, None], code=h[None])


def attend(q, k, v, mask=None, scale=None, cap=0):
    s = q @ k.swapaxes(-1, -2) * (scale or 1 / math.sqrt(q.shape[-1]))
    if cap:
        s = cap * np.tanh(s / cap)
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    return softmax(s) @ v


@program
def kv_cache_step(r):
    b, t, p = 2, 3, 4
    x, position = r.normal(size=(b, t, 8)).astype(f32), np.tile(np.arange(p, p + t), (b, 1))
    past_k, past_v = r.normal(size=(b, 2, p, 4)).astype(f32), r.normal(size=(b, 2, p, 4)).astype(f32)
    cos, sin = numbers(16, 2, scale=1)[position][:, None], numbers(16, 2, scale=1, seed=4)[position][:, None]
    q, k, v = (a.reshape(b, t, 2, 4).transpose(0, 2, 1, 3) for a in np.split(x @ numbers(8, 24), 3, -1))

    def turn(a):
        return np.concatenate([a[..., :2] * cos - a[..., 2:] * sin, a[..., :2] * sin + a[..., 2:] * cos], -1)

    keys, values = np.concatenate([past_k, turn(k)], 2), np.concatenate([past_v, v], 2)
    mask = np.arange(p + t)[None, :] <= np.arange(t)[:, None] + p
    y = attend(turn(q), keys, values, mask).transpose(0, 2, 1, 3).reshape(b, t, 8)
    return dict(x=x, position=position, past_k=past_k, past_v=past_v), dict(y=y, keys=keys, values=values)


@program
def mixture_of_experts(r):
    x = r.normal(size=(5, 6)).astype(f32)
    logits = x @ numbers(6, 4, scale=1)
    which = np.argsort(-logits, 1)[:, :2]
    shares = softmax(np.take_along_axis(logits, which, 1))
    weights = np.zeros((5, 4))
    np.put_along_axis(weights, which, shares, 1)
    h = np.einsum("td,edf->tef", x, numbers(4, 6, 5, scale=0.4, seed=3))
    h = 0.5 * h * (1 + erf(h / math.sqrt(2)))
    y = np.einsum("te,tef,efd->td", weights, h, numbers(4, 5, 6, scale=0.4, seed=5))
    return dict(x=x), dict(y=y + x, load=weights.sum(0))


@program
def encoder_layer(r):
    x, lengths = r.normal(size=(2, 4, 8)).astype(f32), np.array([4, 2])
    n = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * numbers(8, scale=1) + numbers(
        8, scale=0.1, seed=1
    )
    q, k, v = ((n @ numbers(8, 8, scale=0.4, seed=s)).reshape(2, 4, 2, 4).transpose(0, 2, 1, 3) for s in (1, 2, 3))
    mask = (np.arange(4) < lengths[:, None])[:, None, None]
    h = x + attend(q, k, v, mask, cap=5).transpose(0, 2, 1, 3).reshape(2, 4, 8)
    m = h / np.sqrt((h * h).mean(-1, keepdims=True) + 1e-6) * numbers(8, scale=1, seed=2)
    up = m.reshape(-1, 8) @ numbers(16, 8, scale=0.3).T + numbers(16, scale=0.1)
    up = up * np.clip(up / 6 + 0.5, 0, 1)
    return dict(x=x, lengths=lengths), dict(y=h + (up @ numbers(16, 8, scale=0.3, seed=7)).reshape(2, 4, 8))


# Shapes


@program
def mirror_batch(r):
    x, first = r.normal(size=(3, 2, 4)).astype(f32), r.normal(size=4).astype(f32)
    rows = np.concatenate([first[None], x.reshape(-1, 4), -x.reshape(-1, 4)])
    return dict(x=x, first=first), dict(
        rows=rows, sum=x * 0, extents=np.array([7, 6, 4]), shorter=np.array([1]), pairs=i64(6)
    )


@program
def sliding_windows(r):
    x = r.normal(size=(7, 4)).astype(f32)
    known = np.stack([x[:5], x[1:6], x[2:]], 1)
    return dict(x=x), dict(
        means=known.mean(1),
        last_three=known[..., -3:],
        backwards=known[:, ::-1],
        repeated=np.tile(x[2:], (1, 2)),
        flat=known.reshape(5, 12),
    )


@program
def table_updates(r):
    table, rows = r.normal(size=(6, 4)).astype(f32), np.array([4, 1, 4])
    updates, cache, entry = (r.normal(size=s).astype(f32) for s in [(3, 4), (1, 2, 4, 3), (1, 2, 2, 3)])
    added, highest, ring = table.copy(), table.copy(), cache.copy()
    np.add.at(added, rows, updates)
    np.maximum.at(highest, rows, updates)
    ring[:, :, [3, 0]] = entry
    values, first, inverse, counts = np.unique(rows, return_index=True, return_inverse=True, return_counts=True)
    return dict(table=table, rows=rows, updates=updates, cache=cache, entry=entry), dict(
        added=added,
        highest=highest,
        picked=np.take_along_axis(table[rows], np.repeat(rows[:, None] % 4, 4, 1), 1),
        diagonal=table[[0, 1, 5], [0, 1, 3]],
        kept=table[:, [0, 3]],
        places=np.array(np.nonzero(table > 0.5)),
        values=values,
        first=first,
        inverse=inverse,
        counts=counts,
        ring=ring,
    )


@program
def ragged_mask(r):
    x, lengths = r.normal(size=(5, 3)).astype(f32), np.array([5, 2, 3])
    inside = np.arange(5)[:, None] < lengths
    masked = np.where(inside, x, 0)
    reversed_, running = masked.copy(), np.zeros_like(masked)
    for b, n in enumerate(lengths):
        reversed_[:n, b] = masked[:n, b][::-1]
    for t in range(5):
        running[t] = masked[t + 1 :].sum(0)
    return dict(x=x, lengths=lengths), dict(
        reversed=reversed_,
        running=running,
        neighbours=np.tril(np.ones((5, 5), f32), -1) + np.eye(5, k=1, dtype=f32),
        part=masked[:2],
        size=i64(15),
        batch=np.array([3]),
        counted=lengths.astype(i32),
    )


@program(tolerance=1e-4)
def statistics(r):
    x = r.normal(size=(6, 5)).astype(f32)
    d = x.astype(f64)

    def standard(a):
        return (a - a.mean(0)) / (a.std(0) + 1e-9)

    return dict(x=x), dict(
        norms=np.concatenate(
            [
                np.abs(d).sum(0),
                np.sqrt((d * d).sum(0)),
                np.log(np.abs(d).sum(0)),
                np.log(np.exp(d).sum(0)),
                d.prod(0),
                (d * d).sum(0),
                d.min(0),
            ]
        ),
        mean=(x * 3 + np.clip(x, -0.5, 0.5)) / 3,
        spread=d / np.sqrt((d * d).sum(-1, keepdims=True)),
        least=x.argmin(1),
        sums=d.cumsum(0),
        products=d.cumprod(1),
        det=np.linalg.det(d.T @ d),
        low=np.minimum(x, np.round(x)),
        highest=x.max(),
        grand_mean=d.mean(keepdims=True),
        total=x + np.sign(x) + np.fmod(x, f32(0.25)),
        standard=standard(d),
    )


# Signals


@program(tolerance=1e-4)
def mel_spectrogram(r):
    sound = r.normal(size=(2, 64, 1)).astype(f32)
    n = np.arange(16)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * n / 16)
    frames = np.stack([np.fft.rfft(sound[:, s : s + 16, 0] * window) for s in range(0, 49, 8)], 1)
    power = np.abs(frames) ** 2

    def to_mel(f):
        return 2595 * np.log10(1 + f / 700)

    edges = 700 * (10 ** (np.arange(7) * to_mel(4000) / 7 / 2595) - 1)
    bins = np.floor((16 + 1) * edges / 8000).astype(int)
    mel = np.zeros((9, 5), f32)
    for i in range(5):
        low, mid, high = bins[i : i + 3]
        if mid == low:
            mel[mid, i] = 1
        else:
            for j in range(low, mid + 1):
                mel[j, i] = (j - low) / (mid - low)
        if high > mid:
            for j in range(mid, high):
                mel[j, i] = (high - j) / (high - mid)
    m = np.arange(8)
    return dict(sound=sound), dict(
        power=power,
        mel=power @ mel,
        hamming=25 / 46 - 21 / 46 * np.cos(2 * np.pi * m / 7),
        blackman=0.42 - 0.5 * np.cos(2 * np.pi * m / 8) + 0.08 * np.cos(4 * np.pi * m / 8),
    )


@program
def fft_filter(r):
    x, keep = r.normal(size=(3, 16)).astype(f32), r.random((16, 1)).astype(f32)

    def pair(z):
        return np.stack([z.real, z.imag], -1)

    return dict(x=x, keep=keep), dict(
        back=np.fft.ifft(np.fft.fft(x) * keep[:, 0]).real[..., None],
        half=pair(np.fft.rfft(x)),
        longer=pair(np.fft.fft(x, 20)),
    )


@program
def random_augmentation(r):
    x = r.normal(size=(40, 50)).astype(f32)

    def near(mean, deviation, shape, dtype):
        def check(a):
            assert a.shape == shape and a.dtype == dtype, (a.shape, a.dtype)
            assert abs(a.mean() - mean) < 0.1 and abs(a.std() - deviation) < 0.1, (a.mean(), a.std())

        return check

    def integers(shape, dtype, below):
        def check(a):
            assert a.shape == shape and a.dtype == dtype and a.min() >= 0 and a.max() < below, a

        return check

    def dropped(a):
        gone = a == 0
        assert 0.2 < gone.mean() < 0.3 and np.allclose(a[~gone], x[~gone] / 0.75)

    return dict(x=x), dict(
        noisy=lambda a: near(3, 0.1, (40, 50), f32)(a - x),
        flips=integers((40, 50), i32, 2),
        grid=near(1.5, 0.29, (4, 100), f32),
        normal=near(0, 1, (200,), f64),
        same=near(0, 0.577, (40, 50), f32),
        classes=integers((40, 3), i32, 50),
        dropped=dropped,
        mask=lambda a: near(0.75, 0.43, (40, 50), bool)(a),
    )


@program
def training_losses(r):
    logits, labels = r.normal(size=(6, 5)).astype(f32), np.array([0, 2, 4, 1, 2, 3])
    image, weights = r.normal(size=(6, 2, 3)).astype(f32), np.abs(numbers(5, scale=1)) + 0.5
    p = log_softmax(logits)
    picked = -p[np.arange(6), labels]
    w = np.where(labels == 2, 0, weights[labels])
    mean, var = image.mean((0, 2)), image.var((0, 2))
    normed = (image - mean[:, None]) / np.sqrt(var[:, None] + 1e-5)
    return dict(logits=logits, labels=labels, image=image), dict(
        running_var=0.9 + 0.1 * var,
        loss=f32((picked * w).sum() / w.sum()),
        log_prob=p,
        each=picked,
        normed=normed,
        running_mean=mean * 0.1,
        kept=image,
    )


@program
def optimizer_steps(r):
    x, gradient, v = (r.normal(size=3).astype(f32) for _ in range(3))
    h, rate, count = r.random(3).astype(f32), f32(0.1), 5
    g = gradient + 0.001 * x
    new_v, new_h = 0.9 * v + 0.1 * g, 0.999 * h + 0.001 * g * g
    adjusted = rate * math.sqrt(1 - 0.999**count) / (1 - 0.9**count)
    ada_h = h + gradient**2
    m = gradient + 0.01 * x
    moved = 0.9 * v + 1.0 * m
    return dict(x=x, gradient=gradient, v=v, h=h, rate=rate, count=i64(count)), dict(
        adam_x=x - adjusted * new_v / (np.sqrt(new_h) + 1e-6),
        adam_h=new_h,
        adagrad_x=x - rate / (1 + 0.1 * count) * gradient / (np.sqrt(ada_h) + 1e-6),
        momentum_x=x - rate * (m + 0.9 * moved),
        momentum_v=moved,
    )


@program
def classical_classifiers(r):
    x = r.normal(size=(4, 3)).astype(f32)
    x[1, 2] = -99
    filled = np.where(x == -99, np.array([1, 2, 3], f32), x)
    scaled = (filled - np.array([0, 1, -1])) * np.array([1, 0.5, 2])
    normed = scaled / np.sqrt((scaled * scaled).sum(1, keepdims=True))
    scores = normed @ np.array([[1, 0, -1], [0, 1, 0.5]]).T + np.array([0.1, -0.1])
    vectors = np.array([[1, 0, 0], [0, 1, 1]])
    kernel = np.exp(-0.3 * ((scaled[:, None] - vectors) ** 2).sum(2))
    return dict(x=x), dict(
        label=np.array([3, 8])[scores.argmax(1)],
        scores=scores,
        tree=np.where(scaled[:, 1:2] <= 0, -1.5, 2.5),
        machine=kernel @ np.array([[0.5], [-1]]) + 0.25,
        features=np.concatenate([scaled > 0, normed[:, [0, 2]]], 1),
        line=normed @ np.array([[1], [2], [3]]) + 0.5,
    )


# Models


@program
def read_and_extend(r):
    x = r.normal(size=(3, 8)).astype(f32)
    hidden = np.tanh(x @ numbers(8, 4, seed=3))
    return dict(features=x), dict(hidden=hidden, peak=hidden.max(1, keepdims=True), classes=softmax(hidden))


@program
def read_and_extend_head(r):
    hidden = r.normal(size=(3, 4)).astype(f32)
    return dict(hidden=hidden), dict(classes=softmax(hidden))


@program
def siamese_join(r):
    left, right, use = r.normal(size=(3, 8)).astype(f32), r.normal(size=(3, 8)).astype(f32), bool(r.integers(2))

    def code(a):
        return np.tanh(a @ numbers(8, 4, seed=3))

    distance = np.abs(code(left) - code(right)).sum(1, keepdims=True)
    return dict(left=left, right=right, use=np.bool_(use)), dict(
        distance=distance, other=code(left - right).max(1, keepdims=True) if use else distance
    )


def many(x):
    return np.tanh(x @ numbers(8, 4, seed=1) + numbers(4))


@program
def many_models(r):
    x = r.normal(size=(3, 8)).astype(f32)
    return dict(x=x), dict(code=many(x), classes=softmax(many(x) @ numbers(4, 3, scale=1)))


@program
def many_models_head(r):
    code = r.normal(size=(3, 4)).astype(f32)
    return dict(code=code), dict(classes=softmax(code @ numbers(4, 3, scale=1)))


@program
def many_models_code(r):
    x = r.normal(size=(3, 8)).astype(f32)
    return dict(x=x), dict(y=many(x))


@program
def external_weights(r):
    ids = r.integers(0, 100, (2, 3))
    return dict(ids=ids), dict(y=relu(numbers(100, 64, scale=1, seed=2)[ids] @ numbers(64, 64, scale=0.1)).mean(1))


PROGRAMS["external_weights_inside"] = external_weights
TOLERANCE["external_weights_inside"] = 1e-5
PROGRAMS["shared_norm_flat"], TOLERANCE["shared_norm_flat"] = shared_norm, 1e-5


@program
def moved_graph(r):
    x = r.normal(size=(2, 3)).astype(f32)
    return dict(x=x), dict(z=(np.exp(x) - 1) * 2 + x)


@program(tolerance=1e-4)
def every_opset(r):
    x = r.normal(size=(3, 6)).astype(f32)
    h = np.where(x < 0, 0.5 * (np.exp(x) - 1), x) + x.max(1, keepdims=True) + x.sum(0, keepdims=True)
    wide = np.pad(np.concatenate([h[:, 3:], h[:, :3]], 1), [(0, 0), (1, 1)])
    n = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5)
    return dict(x=x), dict(
        y=n.reshape(-1, 2, 4), best=np.argsort(-n, 1, kind="stable")[:, :2], rounded=np.round(n).astype(i32)
    )


for opset in range(17, 28):
    PROGRAMS[f"every_opset_{opset}"], TOLERANCE[f"every_opset_{opset}"] = every_opset, 1e-4


@program
def folded_constants(r):
    x = r.normal(size=(3, 4)).astype(f32)
    return dict(x=x), dict(y=(x * 4).reshape(3, 2, 2))


# Preview


@program(tolerance=1e-4)
def activation_zoo(r):
    x = r.normal(size=(3, 4)).astype(f32)
    d = x.astype(f64)
    soft = np.log1p(np.exp(d))
    smooth = (
        np.maximum(0, d)
        + np.minimum(0, 2 * (np.exp(d / 2) - 1))
        + np.where(d < 0, np.exp(d) - 1, d)
        + 1.050701 * np.where(d <= 0, 1.6732632 * (np.exp(d) - 1), d)
        + soft
        + d / (1 + np.abs(d))
        + d * np.tanh(soft)
        + d * sigmoid(d)
    )
    hard = (
        np.clip(0.5 * d + 0.6, 0, 1)
        + d * np.clip(d / 6 + 0.5, 0, 1)
        + (d == d.max(1, keepdims=True))
        + np.where(d < 0, 0.01 * d, d)
        + np.where(d < -0.5, d + 0.1, np.where(d > 0.5, d - 0.1, 0))
        + np.where(d > 0.3, d, 0)
        + relu(d)
    )
    c = np.clip(d, -0.9, 0.9)
    return dict(x=x), dict(
        smooth=smooth,
        hard=hard,
        sloped=np.where(d < 0, numbers(4) * d, d)
        + 0.5 * d * (1 + np.tanh(math.sqrt(2 / math.pi) * (d + 0.044715 * d**3))),
        angles=np.sin(d)
        + np.cos(d)
        + np.tan(d)
        + np.sinh(d)
        + np.cosh(d)
        + np.arctan(d)
        + np.arcsinh(d)
        + np.arccosh(np.abs(d) + 1),
        others=np.arcsin(c)
        + np.arccos(c)
        + np.arctanh(c)
        + erf(d)
        + np.log(np.abs(d) + 1)
        + 1 / (d * d + 1)
        + np.abs(d) ** 1.5
        + np.floor(d),
    )


@program(tolerance=1e-4)
def linear_attention_block(r):
    x = r.normal(size=(2, 4, 8)).astype(f32)
    channels = x.transpose(0, 2, 1)
    padded = np.pad(channels, [(0, 0), (0, 0), (2, 0)])
    kernel = numbers(8, 1, 3)[:, 0]
    c = sum(padded[:, :, k : k + 4] * kernel[:, k : k + 1] for k in range(3))
    h = (c * sigmoid(c)).transpose(0, 2, 1).reshape(2, 4, 2, 4)
    v, state, y = x.reshape(2, 4, 2, 4), np.zeros((2, 2, 4, 4)), np.zeros((2, 4, 2, 4))
    for t in range(4):
        state = state + h[:, t][..., :, None] * v[:, t][..., None, :]
        y[:, t] = np.einsum("bhk,bhkv->bhv", h[:, t] / 2, state)
    a = y.reshape(2, 4, 8)
    return dict(x=x), dict(y=a * sigmoid(a) * x, state=padded[:, :, -2:], memory=state)


@program
def tree_classifier(r):
    x, word = r.normal(size=(4, 2)).astype(f32), np.array(["a", "b", "c", "a"], object)
    low = x[:, 0] <= 0.25
    return dict(x=x, word=word), dict(
        label=np.where(low, "low", "high").astype(object),
        votes=np.stack([low, ~low, low & False], 1).astype(f32),
        hot=np.array([[1, 0], [0, 1], [0, 0], [1, 0]], f32),
        number=np.array([10, 20, -5, 10]),
    )


@program
def tree_scores(r):
    x = r.normal(size=(4, 2)).astype(f32)
    return dict(x=x), dict(forest=np.where(x[:, :1] <= 0.25, -1.5, 2.5))


@program
def picture_reader(r):
    return {}, None  # neither ONNX Runtime nor, without PIL, the reference evaluator decodes pictures


def compare(name, got, wanted, tolerance):
    if callable(wanted):
        return wanted(np.asarray(got))
    if isinstance(wanted, list):
        assert len(got) == len(wanted), f"{name}: {len(got)} tensors instead of {len(wanted)}"
        for a, b in zip(got, wanted):
            compare(name, a, b, tolerance)
        return
    got, wanted = np.asarray(got), np.asarray(wanted)
    assert got.shape == wanted.shape, f"{name}: shape {got.shape} instead of {wanted.shape}"
    if wanted.dtype == object or wanted.dtype == bool or np.issubdtype(wanted.dtype, np.integer):
        assert got.dtype.kind == wanted.dtype.kind or wanted.dtype == object, f"{name}: {got.dtype} for {wanted.dtype}"
        assert (got.astype(object) == wanted.astype(object)).all(), f"{name}: {got} instead of {wanted}"
    else:
        assert got.dtype.kind in "fcV", f"{name}: {got.dtype}"
        scale = np.maximum(1, np.abs(wanted).max(initial=0)) if np.isfinite(wanted).all() else 1
        worst = np.abs(got.astype(wanted.dtype) - wanted).max(initial=0) / scale
        assert worst <= tolerance, f"{name}: differs by {worst}"


def check(name, path):
    onnx.checker.check_model(str(path), full_check=True)
    found = onnx.load(path)
    inputs, wanted = PROGRAMS[name](np.random.default_rng(len(name) * 7 + 1))
    inputs = {k: v if isinstance(v, list) else np.asarray(v) for k, v in inputs.items()}
    if wanted is None:
        return "checker", set()
    by = "ORT"
    names = [o.name for o in found.graph.output]
    missing = set(names) ^ set(wanted)
    try:
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.add_session_config_entry("session.qdq_matmulnbits_accuracy_level", "1")  # multiplies int4 in float32
        session = onnxruntime.InferenceSession(str(path), options)
        results = session.run([n for n in names if n in wanted], inputs)
    except Exception as problem:  # if a kernel is missing, the reference evaluator runs the model
        by = "reference (" + str(problem).replace("\n", " ")[:150] + ")"
        session = onnx.reference.ReferenceEvaluator(str(path))
        results = session.run([n for n in names if n in wanted], inputs)
    for n, got in zip([n for n in names if n in wanted], results):
        declared = next(o for o in found.graph.output if o.name == n).type.tensor_type
        if declared.HasField("shape"):
            assert len(declared.shape.dim) == np.asarray(got).ndim, f"{n}: declared rank"
            for d, actual in zip(declared.shape.dim, np.asarray(got).shape):
                assert not d.HasField("dim_value") or d.dim_value == actual, f"{n}: declared {d.dim_value}, is {actual}"
        compare(n, got, wanted[n], TOLERANCE[name])
    return by, missing


# ONNX Runtime lacks kernels for these programs.
BY_REFERENCE = {"complex_constants", "linear_attention_block", "optimizer_steps", "smallest_weights"}


def main():
    folder = pathlib.Path(sys.argv[1])
    wanted = sys.argv[2:] or [p.stem for p in sorted(folder.glob("*.onnx"))]
    counts = dict(ORT=0, reference=0, checker=0, failed=0)
    for name in wanted:
        if name not in PROGRAMS:
            onnx.checker.check_model(str(folder / f"{name}.onnx"), full_check=True)
            print(f"{name}: checked only")
            continue
        try:
            by, missing = check(name, folder / f"{name}.onnx")
            assert by == "ORT" or name in BY_REFERENCE or by == "checker", by
            counts[by.split()[0]] += 1
            if by != "ORT" or missing:
                print(f"{name}: {by}; not compared: {sorted(missing)}" if missing else f"{name}: {by}")
        except Exception as problem:
            counts["failed"] += 1
            print(f"{name}: FAILED {type(problem).__name__}: {str(problem)[:600]}")
    print(counts)
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
