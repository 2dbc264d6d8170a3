# SPDX-License-Identifier: Apache-2.0
"""Flax Linen and NNX."""

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn
from flax import nnx

from table import f32, i32
from zoo import filled, leaves, linen, model


class ResNetBlock(nn.Module):
    width: int
    stride: int = 1

    @nn.compact
    def __call__(self, x):
        norm = lambda: nn.BatchNorm(use_running_average=True)
        y = nn.relu(norm()(nn.Conv(self.width, (3, 3), self.stride, use_bias=False)(x)))
        y = norm()(nn.Conv(self.width, (3, 3), use_bias=False)(y))
        if x.shape != y.shape:
            x = norm()(nn.Conv(self.width, (1, 1), self.stride, use_bias=False)(x))
        return nn.relu(x + y)


class ResNet(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(
            nn.BatchNorm(use_running_average=True)(nn.Conv(8, (7, 7), 2, padding=[(3, 3), (3, 3)], use_bias=False)(x))
        )
        x = nn.max_pool(x, (3, 3), (2, 2), "SAME")
        for width, stride in [(8, 1), (16, 2)]:
            x = ResNetBlock(width, stride)(x)
        return nn.Dense(5)(x.mean((1, 2)))


class UNet(nn.Module):
    """As in diffusion models: time embedding, group norms, attention, skips."""

    @nn.compact
    def __call__(self, x, t):
        angles = t[:, None] * jnp.exp(-np.log(1e4) * jnp.arange(4) / 4)
        time = nn.Dense(16)(nn.silu(nn.Dense(16)(jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], -1))))

        def block(h, width):
            y = nn.Conv(width, (3, 3))(nn.silu(nn.GroupNorm(4)(h)))
            y = y + nn.Dense(width)(nn.silu(time))[:, None, None]
            y = nn.Conv(width, (3, 3))(nn.silu(nn.GroupNorm(4)(y)))
            return y + (h if h.shape[-1] == width else nn.Conv(width, (1, 1))(h))

        def attend(h):
            y = nn.GroupNorm(4)(h).reshape(h.shape[0], -1, h.shape[-1])
            return h + nn.MultiHeadDotProductAttention(2)(y, y).reshape(h.shape)

        h = first = block(nn.Conv(8, (3, 3))(x), 8)
        h = attend(block(nn.Conv(16, (3, 3), 2)(h), 16))
        h = jax.image.resize(h, (h.shape[0], h.shape[1] * 2, h.shape[2] * 2, h.shape[3]), "nearest")
        h = block(jnp.concatenate([h, first], -1), 8)
        return nn.Conv(3, (3, 3))(nn.silu(nn.GroupNorm(4)(h)))


class Decoder(nn.Module):
    """As in LLaMA: RMS norms, rotary embeddings, grouped queries, SwiGLU."""

    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(32, 16)(tokens)
        positions = jnp.arange(tokens.shape[1])
        angle = positions[:, None] / 1e4 ** (jnp.arange(0, 4, 2) / 4)

        def rotate(h):
            a, b = jnp.split(h, 2, -1)
            c, s = jnp.cos(angle)[:, None], jnp.sin(angle)[:, None]
            return jnp.concatenate([a * c - b * s, b * c + a * s], -1)

        for _ in range(2):
            y = nn.RMSNorm()(x)
            q, k, v = (
                nn.DenseGeneral((4, 4), use_bias=False)(y),
                nn.DenseGeneral((2, 4), use_bias=False)(y),
                nn.DenseGeneral((2, 4), use_bias=False)(y),
            )
            q, k = rotate(q).reshape(*q.shape[:2], 2, 2, 4), rotate(k)
            scores = jnp.einsum("bqghd,bkgd->bghqk", q, k) / 2
            scores = jnp.where(jnp.tril(jnp.ones((tokens.shape[1],) * 2, bool)), scores, jnp.finfo(jnp.float32).min)
            y = jnp.einsum("bghqk,bkgd->bqghd", nn.softmax(scores), v)
            x = x + nn.DenseGeneral(16, (-3, -2, -1), use_bias=False)(y)
            y = nn.RMSNorm()(x)
            x = x + nn.Dense(16, use_bias=False)(
                nn.silu(nn.Dense(32, use_bias=False)(y)) * nn.Dense(32, use_bias=False)(y)
            )
        return nn.Dense(32, use_bias=False)(nn.RMSNorm()(x))


class Encoder(nn.Module):
    dtype: str = "float32"

    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(32, 16, dtype=self.dtype)(tokens)
        x = x + self.param("positions", nn.initializers.normal(), (8, 16))
        for _ in range(2):
            y = nn.LayerNorm(dtype=self.dtype)(x)
            x = x + nn.SelfAttention(2, dtype=self.dtype)(y, mask=nn.make_attention_mask(tokens > 0, tokens > 0))
            y = nn.gelu(nn.Dense(32, dtype=self.dtype)(nn.LayerNorm(dtype=self.dtype)(x)), approximate=False)
            x = x + nn.Dense(16, dtype=self.dtype)(y)
        return nn.LayerNorm(dtype=self.dtype)(x)


class Mixer(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Conv(8, (4, 4), (4, 4))(x).reshape(x.shape[0], -1, 8)
        for _ in range(2):
            y = nn.LayerNorm()(x).swapaxes(1, 2)
            x = x + nn.Dense(9)(nn.gelu(nn.Dense(12)(y))).swapaxes(1, 2)
            x = x + nn.Dense(8)(nn.gelu(nn.Dense(16)(nn.LayerNorm()(x))))
        return nn.Dense(5)(nn.LayerNorm()(x).mean(1))


class VAE(nn.Module):
    @nn.compact
    def __call__(self, x):
        h = nn.relu(nn.Conv(8, (3, 3), 2)(x)).reshape(x.shape[0], -1)
        mean, logvar = nn.Dense(4)(h), nn.Dense(4)(h)
        z = mean + jnp.exp(0.5 * logvar) * jax.random.normal(jax.random.key(1), mean.shape)
        h = nn.relu(nn.Dense(6 * 6 * 8)(z)).reshape(-1, 6, 6, 8)
        return nn.sigmoid(nn.ConvTranspose(1, (3, 3), (2, 2))(h)), mean, logvar


class MixtureOfExperts(nn.Module):
    @nn.compact
    def __call__(self, x):
        gates, chosen = jax.lax.top_k(nn.softmax(nn.Dense(4)(x)), 2)
        w = self.param("w", nn.initializers.normal(), (4, 8, 8))
        out = jnp.einsum("bkd,bkde->bke", jnp.repeat(x[:, None], 2, 1), w[chosen])
        return (out * gates[..., None]).sum(1)


class Seq2Seq(nn.Module):
    @nn.compact
    def __call__(self, source, target):
        state, _ = nn.RNN(nn.LSTMCell(8), return_carry=True)(nn.Embed(11, 6)(source))
        y = nn.RNN(nn.LSTMCell(8))(nn.Embed(11, 6)(target), initial_carry=state)
        return nn.Dense(11)(y)


class EfficientBlock(nn.Module):
    @nn.compact
    def __call__(self, x):
        y = nn.silu(nn.BatchNorm(use_running_average=True)(nn.Conv(16, (1, 1), use_bias=False)(x)))
        y = nn.silu(
            nn.BatchNorm(use_running_average=True)(nn.Conv(16, (5, 5), feature_group_count=16, use_bias=False)(y))
        )
        gate = nn.sigmoid(nn.Conv(16, (1, 1))(nn.silu(nn.Conv(4, (1, 1))(y.mean((1, 2), keepdims=True)))))
        return x + nn.BatchNorm(use_running_average=True)(nn.Conv(4, (1, 1), use_bias=False)(y * gate))


images, tokens = np.zeros((1, 12, 12, 3), "f4"), np.zeros((1, 8), "i4")
rows = {
    "resnet": (lambda: ResNet(), (images,), (f32("B", 12, 12, 3),)),
    "unet": (lambda: UNet(), (images, np.zeros(1, "f4")), (f32("B", 12, 12, 3), f32("B").between(0, 100))),
    "llama": (lambda: Decoder(), (tokens,), (i32("B", 8).between(0, 31),)),
    "encoder": (lambda: Encoder(), (tokens,), (i32("B", 8).between(0, 31),)),
    "mixer": (lambda: Mixer(), (images,), (f32("B", 12, 12, 3),)),
    "vae": (lambda: VAE(), (images,), (f32("B", 12, 12, 3),)),
    "mixture_of_experts": (lambda: MixtureOfExperts(), (np.zeros((1, 8), "f4"),), (f32("B", 8),)),
    "seq2seq": (lambda: Seq2Seq(), (tokens, tokens), (i32("B", 8).between(0, 10), i32("B", 8).between(0, 10))),
    "efficient_block": (lambda: EfficientBlock(), (np.zeros((1, 6, 6, 4), "f4"),), (f32("B", 6, 6, 4),)),
    "bidirectional": (
        lambda: nn.Bidirectional(nn.RNN(nn.GRUCell(4)), nn.RNN(nn.GRUCell(4))),
        (np.zeros((1, 5, 3), "f4"),),
        (f32("B", 5, 3),),
    ),
    "conv_lstm": (
        lambda: nn.RNN(nn.ConvLSTMCell(4, (3, 3))),
        (np.zeros((1, 3, 6, 6, 2), "f4"),),
        (f32("B", 3, 6, 6, 2),),
    ),
    "weight_norm": (
        lambda: nn.Sequential(
            [nn.WeightNorm(nn.Dense(8)), nn.InstanceNorm(), nn.PReLU(), nn.Einsum((8, 2, 3), "abc,cde->abde")]
        ),
        (np.zeros((1, 4, 6), "f4"),),
        (f32("B", 4, 6),),
    ),
}
for name, (net, shapes, arguments) in rows.items():

    @model(name, *arguments)
    def build(net=net, shapes=shapes):
        return linen(net(), *shapes)


@model("encoder_bfloat16", i32("B", 8).between(0, 31), rtol=5e-2, atol=5e-2)
def half():
    return linen(Encoder("bfloat16"), tokens)


@model("encoder_float16", i32("B", 8).between(0, 31), rtol=2e-2, atol=1e-2)
def float16():
    return linen(Encoder("float16"), tokens)


@model("batch_norm_training", f32(8, 4))
def training():
    net = nn.BatchNorm(use_running_average=False)
    params = filled(jax.eval_shape(lambda x: net.init(jax.random.key(0), x), np.zeros((8, 4), "f4")))
    return leaves(lambda x: net.apply(params, x, mutable=["batch_stats"]))


@model("scanned_layers", f32("B", 5, 8))
def scanned():
    class Layer(nn.Module):
        @nn.compact
        def __call__(self, x, _=None):
            return x + nn.Dense(8)(nn.gelu(nn.LayerNorm()(x))), None

    net = nn.scan(nn.remat(Layer), variable_axes={"params": 0}, split_rngs={"params": True}, length=3)()
    return linen(net, np.zeros((1, 5, 8), "f4"))


def with_state(create):
    graph, state = nnx.split(nnx.eval_shape(create))
    return nnx.merge(graph, filled(state))


def nnx_model(name, *arguments):
    def add(create):
        @model("nnx_" + name, *arguments)
        def build():
            net = with_state(lambda: create(nnx.Rngs(0)))
            net.eval()
            return leaves(lambda *a: net(*a))

    return add


@nnx_model("cnn", f32("B", 12, 12, 3))
def nnx_cnn(rngs):
    return nnx.Sequential(
        nnx.Conv(3, 8, (3, 3), rngs=rngs),
        nnx.BatchNorm(8, rngs=rngs),
        nnx.relu,
        lambda x: nnx.avg_pool(x, (2, 2), (2, 2)),
        nnx.GroupNorm(8, 4, rngs=rngs),
        nnx.silu,
        lambda x: x.reshape(x.shape[0], -1),
        nnx.Dropout(0.5, rngs=rngs),
        nnx.Linear(288, 5, rngs=rngs),
    )


@nnx_model("transformer", f32("B", 6, 8))
def nnx_transformer(rngs):
    class Block(nnx.Module):
        def __init__(self):
            self.norm1, self.norm2 = nnx.LayerNorm(8, rngs=rngs), nnx.RMSNorm(8, rngs=rngs)
            self.attention = nnx.MultiHeadAttention(2, 8, decode=False, rngs=rngs)
            self.up, self.down = nnx.Linear(8, 32, rngs=rngs), nnx.Linear(32, 8, rngs=rngs)

        def __call__(self, x):
            x = x + self.attention(self.norm1(x), mask=nnx.make_causal_mask(x[..., 0]))
            return x + self.down(nnx.gelu(self.up(self.norm2(x))))

    return nnx.Sequential(Block(), Block())


@nnx_model("lstm", f32("B", 6, 4))
def nnx_lstm(rngs):
    return nnx.Sequential(
        nnx.RNN(nnx.OptimizedLSTMCell(4, 8, rngs=rngs)),
        nnx.RNN(nnx.GRUCell(8, 4, rngs=rngs), reverse=True, keep_order=True),
        nnx.RNN(nnx.SimpleCell(4, 4, rngs=rngs)),
    )


@nnx_model("conv_transpose", f32("B", 5, 5, 3))
def nnx_transpose(rngs):
    return nnx.Sequential(
        nnx.ConvTranspose(3, 4, (3, 3), 2, rngs=rngs),
        nnx.InstanceNorm(4, rngs=rngs),
        nnx.leaky_relu,
        nnx.Conv(4, 4, (3, 3), kernel_dilation=2, feature_group_count=2, rngs=rngs),
    )


@nnx_model("lora", f32("B", 4))
def nnx_lora(rngs):
    return nnx.Sequential(
        nnx.LoRALinear(4, 6, lora_rank=2, rngs=rngs),
        nnx.Einsum("ab,bc->ac", (6, 3), (3,), rngs=rngs),
        nnx.LinearGeneral(3, (2, 2), rngs=rngs),
    )


@model("nnx_training_step", f32(4, 6), f32(4, 3))
def nnx_step():
    import optax

    net = with_state(
        lambda: nnx.Sequential(
            nnx.Linear(6, 8, use_bias=False, rngs=nnx.Rngs(0)),
            nnx.BatchNorm(8, rngs=nnx.Rngs(0)),
            nnx.relu,
            nnx.Linear(8, 3, rngs=nnx.Rngs(1)),
        )
    )
    net.train()
    graph, params, rest = nnx.split(net, nnx.Param, ...)
    optimizer = optax.adamw(1e-2)
    state = optimizer.init(params)

    def step(x, y):
        def loss(params):
            net = nnx.merge(graph, params, rest, copy=True)
            value = ((net(x) - y) ** 2).mean()
            return value, nnx.state(net, nnx.BatchStat)

        (value, stats), gradients = jax.value_and_grad(loss, has_aux=True)(params)
        updates, new = optimizer.update(gradients, state, params)
        return value, stats, optax.apply_updates(params, updates)

    return leaves(step)
