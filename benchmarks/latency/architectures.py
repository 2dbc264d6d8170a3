# SPDX-License-Identifier: Apache-2.0
"""Networks of JAX's ecosystem with random weights. `ARCHITECTURES[name]()` returns a function and its arguments.

Those of Hugging Face have the configurations of torch_models.py. Sizes are those in use, except that Gemma and Mistral
have a third of their layers.
"""

import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
import transformers as hf
from configurations import CONFIGURATIONS, LENGTH, image, sound, tokens

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/models"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/numeric"))

from zoo import filled

ARCHITECTURES = {}


def architecture(build):
    ARCHITECTURES[build.__name__] = build
    return build


def network(name, flax_class, **options):
    """The Flax network of a configuration of Hugging Face, with weights added, which it does not initialise itself."""
    net = getattr(hf, flax_class)(CONFIGURATIONS[name], _do_init=False, seed=0, **options)
    net._is_initialized = True
    net.params = filled(net.params_shape_tree)
    return net


def text(name, flax_class, result):
    def build():
        net = network(name, flax_class, input_shape=(1, LENGTH))
        return lambda ids: net(ids)[result], (tokens(),)

    ARCHITECTURES[name] = build


def vision(name, flax_class, result):
    def build():
        size = getattr(CONFIGURATIONS[name], "image_size", 224)
        net = network(name, flax_class, input_shape=(1, size, size, 3))
        return lambda pixels: net(pixels)[result], (image(size),)

    ARCHITECTURES[name] = build


text("bert", "FlaxBertModel", "last_hidden_state")
text("gpt2", "FlaxGPT2LMHeadModel", "logits")
vision("vit", "FlaxViTForImageClassification", "logits")
vision("resnet50", "FlaxResNetForImageClassification", "logits")
text("roberta", "FlaxRobertaModel", "last_hidden_state")
text("gemma", "FlaxGemmaForCausalLM", "logits")
text("mistral", "FlaxMistralForCausalLM", "logits")
text("distilbert", "FlaxDistilBertModel", "last_hidden_state")
vision("dinov2", "FlaxDinov2Model", "last_hidden_state")


text("albert", "FlaxAlbertModel", "last_hidden_state")
text("electra", "FlaxElectraModel", "last_hidden_state")
vision("beit", "FlaxBeitModel", "last_hidden_state")


@architecture
def clip():
    """The similarity of an image and a text, by both encoders."""
    net = network("clip", "FlaxCLIPModel", input_shape=((1, 77), (1, 224, 224, 3)))
    return lambda ids, pixels: net(ids, pixels).logits_per_image, (tokens()[:, :77], image(224))


@architecture
def wav2vec2():
    net = network("wav2vec2", "FlaxWav2Vec2Model", input_shape=(1, 16000))
    return lambda x: net(x).last_hidden_state, (sound(),)


@architecture
def t5():
    net = network("t5", "FlaxT5ForConditionalGeneration")
    return lambda ids, targets: net(ids, decoder_input_ids=targets).logits, (tokens(), tokens(1))


@architecture
def bart():
    net = network("bart", "FlaxBartForConditionalGeneration")
    return lambda ids, targets: net(ids, decoder_input_ids=targets).logits, (tokens(), tokens(1))


@architecture
def whisper():
    net = network("whisper", "FlaxWhisperForConditionalGeneration", input_shape=(1, 80, 3000))
    mel = np.random.default_rng(0).standard_normal((1, 80, 3000), "f4")
    return lambda x, targets: net(x, targets).logits, (mel, tokens(1)[:, :32])


@architecture
def gpt2_decode_step():
    """One token, with a cache of 128 positions: returns the logits and the new cache."""
    net = network("gpt2", "FlaxGPT2LMHeadModel")
    cache = jax.tree.map(np.asarray, net.init_cache(1, LENGTH))

    def step(ids, position, cache):
        out = net(ids, past_key_values=cache, position_ids=position)
        return out.logits, out.past_key_values

    return step, (tokens()[:, :1], np.full((1, 1), 17, "i4"), cache)


def linen(net, *arguments):
    params = filled(jax.eval_shape(lambda *a: net.init(jax.random.key(0), *a), *arguments))
    return lambda *a: net.apply(params, *a), arguments


@architecture
def stacked_lstm():
    from flax import linen as nn

    layers = [nn.RNN(nn.OptimizedLSTMCell(256)) for _ in range(3)]
    return linen(nn.Sequential(layers), np.random.default_rng(0).standard_normal((1, 128, 256), "f4"))


@architecture
def unet():
    import diffusers as hd

    net = hd.FlaxUNet2DConditionModel(
        sample_size=32,
        block_out_channels=(64, 128, 256),
        down_block_types=("CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "DownBlock2D"),
        up_block_types=("UpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D"),
        layers_per_block=2,
        attention_head_dim=8,
        cross_attention_dim=256,
    )
    params = {"params": filled(jax.eval_shape(lambda: net.init_weights(jax.random.key(0))))}
    random = np.random.default_rng(0)
    x, text = random.standard_normal((1, 4, 32, 32), "f4"), random.standard_normal((1, 77, 256), "f4")
    return lambda x, t, h: net.apply(params, x, t, h).sample, (x, np.full(1, 7.0, "f4"), text)


@architecture
def mixer():
    from flax import linen as nn

    class Mlp(nn.Module):
        width: int

        @nn.compact
        def __call__(self, x):
            return nn.Dense(x.shape[-1])(nn.gelu(nn.Dense(self.width)(x)))

    class Mixer(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.Conv(512, (16, 16), (16, 16))(x)
            x = x.reshape(x.shape[0], -1, x.shape[-1])
            for _ in range(8):
                x += Mlp(256)(nn.LayerNorm()(x).swapaxes(1, 2)).swapaxes(1, 2)
                x += Mlp(2048)(nn.LayerNorm()(x))
            return nn.Dense(1000)(nn.LayerNorm()(x).mean(1))

    return linen(Mixer(), image(224).transpose(0, 2, 3, 1))


@architecture
def efficientnet():
    """Inverted residual blocks with squeeze and excitation: the stages of EfficientNet-B0."""
    from flax import linen as nn

    class Block(nn.Module):
        features: int
        kernel: int
        stride: int
        expand: int

        @nn.compact
        def __call__(self, x):
            def normed(x):
                return nn.BatchNorm(use_running_average=True, epsilon=1e-3)(x)

            wide, y = x.shape[-1] * self.expand, x
            if self.expand > 1:
                y = nn.swish(normed(nn.Conv(wide, (1, 1), use_bias=False)(y)))
            sizes, strides = (self.kernel,) * 2, (self.stride,) * 2
            y = nn.Conv(wide, sizes, strides, feature_group_count=wide, use_bias=False)(y)
            y = nn.swish(normed(y))
            s = nn.swish(nn.Conv(max(1, x.shape[-1] // 4), (1, 1))(y.mean((1, 2), keepdims=True)))
            y = y * nn.sigmoid(nn.Conv(wide, (1, 1))(s))
            y = normed(nn.Conv(self.features, (1, 1), use_bias=False)(y))
            return x + y if y.shape == x.shape else y

    class EfficientNet(nn.Module):
        @nn.compact
        def __call__(self, x):
            def stem(x, width, size, stride):
                x = nn.Conv(width, (size, size), (stride, stride), use_bias=False)(x)
                return nn.swish(nn.BatchNorm(use_running_average=True, epsilon=1e-3)(x))

            x = stem(x, 32, 3, 2)
            stages = [(16, 3, 1, 1, 1), (24, 3, 2, 6, 2), (40, 5, 2, 6, 2), (80, 3, 2, 6, 3), (112, 5, 1, 6, 3)]
            for features, kernel, stride, expand, count in [*stages, (192, 5, 2, 6, 4), (320, 3, 1, 6, 1)]:
                for i in range(count):
                    x = Block(features, kernel, stride if i == 0 else 1, expand)(x)
            return nn.Dense(1000)(stem(x, 1280, 1, 1).mean((1, 2)))

    return linen(EfficientNet(), image(224).transpose(0, 2, 3, 1))


@architecture
def mamba():
    """Four blocks of a selective state space model, whose recurrence is an associative scan."""
    from flax import linen as nn

    class Block(nn.Module):
        width: int = 512
        states: int = 16

        @nn.compact
        def __call__(self, x):
            y, gate = jnp.split(nn.Dense(2 * self.width, use_bias=False)(nn.RMSNorm()(x)), 2, -1)
            y = nn.silu(nn.Conv(self.width, (4,), padding="CAUSAL", feature_group_count=self.width)(y))
            steps = nn.softplus(nn.Dense(self.width)(nn.Dense(16, use_bias=False)(y)))
            b, c = jnp.split(nn.Dense(2 * self.states, use_bias=False)(y), 2, -1)
            rates = -jnp.exp(self.param("rates", nn.initializers.zeros, (self.width, self.states)))
            decay = jnp.exp(steps[..., None] * rates)
            drive = (steps * y)[..., None] * b[..., None, :]

            def joined(left, right):
                return left[0] * right[0], left[1] * right[0] + right[1]

            state = jax.lax.associative_scan(joined, (decay, drive), axis=1)[1]
            y = jnp.einsum("bldn,bln->bld", state, c) + y * self.param("skip", nn.initializers.ones, (self.width,))
            return x + nn.Dense(x.shape[-1], use_bias=False)(y * nn.silu(gate))

    return linen(
        nn.Sequential([Block() for _ in range(4)]), np.random.default_rng(0).normal(size=(1, 128, 256)).astype("f4")
    )


@architecture
def training_step():
    """Loss, gradients and Adam of a convolutional network: returns the new parameters."""
    import optax
    from flax import linen as nn

    class Net(nn.Module):
        @nn.compact
        def __call__(self, x):
            for width in (32, 64):
                x = nn.max_pool(nn.relu(nn.Conv(width, (3, 3))(x)), (2, 2), (2, 2))
            return nn.Dense(10)(nn.relu(nn.Dense(256)(x.reshape(x.shape[0], -1))))

    net, optimizer, random = Net(), optax.adam(1e-3), np.random.default_rng(0)
    x, y = random.standard_normal((32, 28, 28, 1), "f4"), random.integers(0, 10, 32, "i4")
    params = filled(jax.eval_shape(lambda: net.init(jax.random.key(0), x)))
    state = optimizer.init(params)

    def step(params, state, x, y):
        def loss(params):
            return optax.softmax_cross_entropy_with_integer_labels(net.apply(params, x), y).mean()

        value, gradients = jax.value_and_grad(loss)(params)
        updates, state = optimizer.update(gradients, state, params)
        return value, optax.apply_updates(params, updates), state

    return step, (jax.tree.map(np.asarray, params), jax.tree.map(np.asarray, state), x, y)
