# SPDX-License-Identifier: Apache-2.0
"""Hugging Face Diffusers' Flax networks and schedulers (diffusers < 0.35), small."""

import diffusers as hd
import jax
import jax.numpy as jnp
import numpy as np

from table import f32, i32, key
from zoo import filled, leaves, model

blocks = dict(
    down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
    block_out_channels=(32, 64),
    layers_per_block=1,
    attention_head_dim=2,
    cross_attention_dim=16,
    sample_size=8,
)


def weights(net):
    return {"params": filled(jax.eval_shape(lambda: net.init_weights(jax.random.key(0))))}


unets = {
    "unet": {},
    "unet_linear": dict(use_linear_projection=True, only_cross_attention=True),
    "unet_split_heads": dict(split_head_dim=True),
    "unet_two_transformers": dict(transformer_layers_per_block=2, flip_sin_to_cos=False, freq_shift=1),
}
for name, options in unets.items():

    @model(name, f32("B", 4, 8, 8), f32("B").between(0, 100), f32("B", 5, 16), rtol=2e-3, atol=2e-3)
    def unet(options=options):
        net = hd.FlaxUNet2DConditionModel(
            in_channels=4, out_channels=4, up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"), **blocks, **options
        )
        params = weights(net)
        return leaves(lambda x, t, h: net.apply(params, x, t, h).sample)


@model("control_net", f32("B", 4, 8, 8), f32("B", 3, 64, 64), f32("B", 5, 16), rtol=2e-3, atol=2e-3)
def control():
    net = hd.FlaxControlNetModel(in_channels=4, conditioning_embedding_out_channels=(8, 16), **blocks)
    params = weights(net)
    return leaves(
        lambda x, c, h: (lambda out: (out.down_block_res_samples, out.mid_block_res_sample))(
            net.apply(params, x, 5, h, c[:, :, ::4, ::4][:, :, :16, :16])
        )
    )


@model("autoencoder", f32("B", 3, 16, 16), key(1), rtol=2e-3, atol=2e-3)
def autoencoder():
    net = hd.FlaxAutoencoderKL(
        down_block_types=("DownEncoderBlock2D",) * 2,
        up_block_types=("UpDecoderBlock2D",) * 2,
        block_out_channels=(32, 64),
        latent_channels=4,
        sample_size=16,
    )
    params = weights(net)
    return leaves(lambda x, k: net.apply(params, x, sample_posterior=True, rngs={"gaussian": k}).sample)


for name in ["DDIM", "DDPM", "PNDM", "LMSDiscrete", "EulerDiscrete", "DPMSolverMultistep"]:

    @model("scheduler_" + name.lower(), f32("B", 4, 4, 2), rtol=2e-3, atol=2e-3)
    def scheduler(name=name):
        kind = getattr(hd, f"Flax{name}Scheduler")(num_train_timesteps=50, beta_schedule="scaled_linear")
        first = kind.create_state()

        def run(x):
            state = kind.set_timesteps(first, num_inference_steps=5, shape=x.shape)
            for t in range(3):
                step = state.timesteps[t]
                scaled = kind.scale_model_input(state, x, step) if name != "DDPM" else x
                out = kind.step(state, jnp.tanh(scaled), step, x)
                x, state = out.prev_sample, out.state
            return x

        return leaves(run)


@model("text_to_image", i32(1, 5).between(0, 30), key(2), rtol=5e-3, atol=5e-3)
def pipeline():
    """Classifier-free guidance in a loop, then the decoder."""
    net = hd.FlaxUNet2DConditionModel(
        in_channels=4, out_channels=4, up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"), **blocks
    )
    decoder = hd.FlaxAutoencoderKL(
        down_block_types=("DownEncoderBlock2D",) * 2,
        up_block_types=("UpDecoderBlock2D",) * 2,
        block_out_channels=(32, 64),
        latent_channels=4,
        sample_size=16,
    )
    params, others = weights(net), weights(decoder)
    table = jnp.asarray(np.random.default_rng(0).normal(size=(31, 16)).astype("f4"))
    kind = hd.FlaxDDIMScheduler(num_train_timesteps=50)
    first = kind.set_timesteps(kind.create_state(), 4, (1, 4, 8, 8))

    def run(ids, k):
        context = jnp.concatenate([jnp.zeros((1, 5, 16)), table[ids]])

        def body(i, carry):
            x, state = carry
            t = state.timesteps[i]
            noise = net.apply(params, jnp.concatenate([x, x]), jnp.broadcast_to(t, (2,)), context).sample
            plain, guided = jnp.split(noise, 2)
            out = kind.step(state, plain + 7.5 * (guided - plain), t, x)
            return out.prev_sample, out.state

        x, _ = jax.lax.fori_loop(0, 4, body, (jax.random.normal(k, (1, 4, 8, 8)), first))
        return decoder.apply(others, x / 0.18215, method=decoder.decode).sample

    return leaves(run)
