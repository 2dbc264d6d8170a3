# SPDX-License-Identifier: Apache-2.0
import math

import jax.numpy as jnp
from jax import lax
from jax._src import core
from jax._src.export.shape_poly import dimension_size_p
from jax._src.lax.lax import empty2_p, empty_p
from jax._src.state.primitives import broadcast_to

from table import boolean, c64, case, f32, i32, spec

case("reshape", "flatten", lambda x: x.reshape(-1), f32(2, 3, 4))
case("reshape", "to_scalar", lambda x: x.reshape(()), f32(1, 1))
case("reshape", "empty", lambda x: x.reshape(0, 6), f32(2, 0, 3))
case("reshape", "symbolic", lambda x: x.reshape(x.shape[0], -1), f32("B", 3, 4))
case("reshape", "symbolic_merge", lambda x: x.reshape(-1, 4), f32("B", 3, 4))
case("transpose", "matrix", lambda x: x.T, f32(2, 3))
case("transpose", "rank4", lambda x: jnp.transpose(x, (0, 3, 1, 2)), f32(2, 3, 4, 5))
case("squeeze", "middle", lambda x: lax.squeeze(x, (1,)), f32(2, 1, 3))
case("expand_dims", "two", lambda x: lax.expand_dims(x, (0, 3)), f32(2, 3))
case("broadcast_in_dim", "scalar", lambda x: jnp.broadcast_to(x, (2, 3)), f32())
case("broadcast_in_dim", "row", lambda x: lax.broadcast_in_dim(x, (2, 3, 4), (2,)), f32(4))
case("broadcast_in_dim", "column", lambda x: lax.broadcast_in_dim(x, (2, 3, 4), (1,)), f32(3))
case("broadcast_in_dim", "ones_expand", lambda x: lax.broadcast_in_dim(x, (2, 3, 4), (0, 2)), f32(1, 4))
case("broadcast_in_dim", "symbolic", lambda x: jnp.zeros((x.shape[0], 3)) + x[:, :1], f32("B", 3))
case("broadcast_in_dim", "empty", lambda x: jnp.broadcast_to(x, (0, 3)), f32(3))
case(
    "broadcast_in_dim",
    "one_to_none",
    lambda x: jnp.concatenate([lax.broadcast_in_dim(-x, (6, 1, 0), (0, 1)).reshape(6, 0), x], 1),
    f32(6, 1),
)
case("concatenate", "three", lambda x, y, z: jnp.concatenate([x, y, z], 1), f32(2, 1), f32(2, 2), f32(2, 3))
case("concatenate", "with_empty", lambda x, y: jnp.concatenate([x, y], 0), f32(0, 2), f32(3, 2))
case("concatenate", "bool", lambda x, y: jnp.concatenate([x, y]), boolean(2), boolean(3))
case("concatenate", "symbolic", lambda x, y: jnp.concatenate([x, y], 0), f32("B", 2), f32("B", 2))
case("slice", "plain", lambda x: x[1:3, 2:], f32(4, 5))
case("slice", "corner_of_table", lambda x: (x[:, None] * jnp.arange(80))[:, 2:5], i32(3))
case("slice", "corner_of_causal_mask", lambda: (jnp.arange(80)[:, None] >= jnp.arange(80))[1:3, :4])
case("slice", "strided", lambda x: x[::2, 1::3], f32(5, 8))
case("slice", "empty", lambda x: x[2:2], f32(4, 5))
case("rev", "one", lambda x: lax.rev(x, (1,)), f32(3, 4))
case("rev", "two", lambda x: lax.rev(x, (0, 2)), f32(2, 3, 4))
case("rev", "bool", lambda x: lax.rev(x, (0,)), boolean(5))
for dtype in ["float32", "int32", "uint8", "bool", "bfloat16"]:
    case(
        "pad",
        f"edges_{dtype}",
        lambda x: lax.pad(x, jnp.zeros((), x.dtype), ((1, 2, 0), (0, 1, 0))),
        spec(dtype, (2, 3)),
    )
case("pad", "interior", lambda x: lax.pad(x, jnp.float32(7), ((1, 0, 2), (0, 1, 1))), f32(3, 4))
case("pad", "negative", lambda x: lax.pad(x, jnp.float32(7), ((-1, 0, 0), (1, -2, 0))), f32(3, 4))
case("pad", "negative_interior", lambda x: lax.pad(x, jnp.float32(7), ((-1, -1, 1),)), f32(5))
case("pad", "value_argument", lambda x, v: lax.pad(x, v, ((1, 1, 0),)), f32(3), f32())
case("iota", "f32", lambda x: x + lax.broadcasted_iota(jnp.float32, (3, 4), 1), f32(3, 4))
case("iota", "i32", lambda x: x * lax.broadcasted_iota(jnp.int32, (3, 4), 0), i32(3, 4))
case("iota", "symbolic", lambda x: x + jnp.arange(x.shape[0], dtype=jnp.float32), f32("B"))
case("split", "uneven", lambda x: jnp.split(x, [1, 3], axis=1), f32(2, 6))
case("tile", "jnp", lambda x: jnp.tile(x, (2, 3)), f32(2, 2))
case("stack", "jnp", lambda x, y: jnp.stack([x, y], -1), f32(2, 2), f32(2, 2))
case("tril", "jnp", lambda x: jnp.tril(x) + jnp.triu(x, 1), f32(4, 4))
case("concatenate", "jnp_roll", lambda x: jnp.roll(x, 2, 1), f32(2, 5))
case("eye", "jnp", lambda x: x * jnp.eye(3), f32(3, 3))
case("output", "argument_itself", lambda x: x, f32(2))
case("output", "twice", lambda x: (x + 1, x + 1), f32(2))
case("output", "literal", lambda x: (x * 2, 3.0), f32(2))
case("output", "constant_array", lambda x: (x * 2, jnp.arange(3)), f32(2))
case("input", "unused", lambda x, y: x + 1, f32(2), f32(3))
case("pad", "crop_all", lambda x: lax.pad(x, jnp.float32(7), ((-2, -1, 0), (0, 0, 0))), f32(3, 2))
case("pad", "crop_more_than_there_is", lambda x: lax.pad(x, jnp.float32(7), ((-5, 7, 0),)), f32(3))
case("pad", "interior_one", lambda x: lax.pad(x, jnp.float32(7), ((1, 1, 3), (0, 0, 2))), f32(1, 3))
case("pad", "interior_empty", lambda x: lax.pad(x, jnp.float32(7), ((2, 1, 3),)), f32(0))
case("pad", "interior_complex", lambda x: lax.pad(x, jnp.complex64(7 + 1j), ((2, -1, 3),)), spec("complex64", (3,)))
case("pad", "symbolic_amount", lambda x: jnp.pad(x, ((0, x.shape[1]), (1, 0))), f32("B", "C"))
case("pad", "symbolic_crop", lambda x: lax.pad(x, jnp.float32(7), ((-1, 0, 0), (0, -x.shape[1] + 1, 0))), f32("B", "C"))
case("pad", "symbolic_interior", lambda x: lax.pad(x, jnp.float32(7), ((-1, 1, 2), (0, 0, 0))), f32("B", 3))
case("unstack", "rows", lambda x: jnp.unstack(x), f32(3, 2))
case("unstack", "columns", lambda x: jnp.unstack(x, axis=1), f32(3, 2))
case("unstack", "none", lambda x: (x, *jnp.unstack(x)), f32(0, 2))
case(
    "empty",
    "is_written_over",
    lambda x: empty_p.bind(shape=(3,), dtype=x.dtype, out_sharding=None).at[:].set(x),
    f32(3),
)
case("empty2", "is_zero", lambda x: x + empty2_p.bind(dtype=x.dtype, memory_space=core.MemorySpace.Device), f32(3))
case("concatenate", "padded_with_nothing", lambda x: jnp.pad(x, ((1, 2), (3, 0)), mode="edge"), f32("B", 4))

# Complex operands.
case("reshape", "c64", lambda x: x.T.reshape(2, 6), c64(3, 4))
case("concatenate", "c64", lambda x, y: jnp.concatenate([x, y], 1), c64(3, 1), c64(3, 2))
case("broadcast_in_dim", "c64", lambda x: jnp.broadcast_to(x, (2, 3)), c64(3))
case("slice", "c64", lambda x: x[1:, ::2], c64(3, 4))
case("transpose", "c64", lambda x: jnp.conj(x.T), c64(3, 4))
case("iota", "complex64", lambda x: x + lax.iota("complex64", 3), c64(3))
case("dim_as_value", "float", lambda x: x / x.shape[0], f32("B", 3))
case("broadcast_in_dim", "empty_symbolic", lambda x: jnp.repeat(x, 0, axis=-2), f32(3, "B"))

# Images whose rows and columns are copied.
case("broadcast_in_dim", "repeat", lambda x: jnp.repeat(jnp.repeat(x, 2, axis=1), 3, axis=2), f32(2, 3, 2))
case("broadcast_in_dim", "repeat_any_batch", lambda x: jnp.repeat(jnp.repeat(x, 2, 2), 2, 3), f32("B", 2, 3, 2))
case("broadcast_in_dim", "repeat_at_once", lambda x: jnp.broadcast_to(x[:, None, :, None], (3, 2, 4, 5)), f32(3, 4))
case("broadcast_in_dim", "repeat_turned", lambda x: jnp.repeat(jnp.repeat(x, 2, 0).T, 3, 0), f32(3, 4))
case("broadcast_in_dim", "tile", lambda x: jnp.tile(x, (1, 2, 3)), f32(2, 3, 2))


# Channels that become blocks of pixels, and blocks that become channels, with and without convolutions.
def convolved(x, channels):
    kernel = jnp.arange(1.0, 1 + x.shape[-1] * channels, dtype=x.dtype).reshape(1, 1, -1, channels) / 64
    return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def blocks_of_channels(x, side, order="bhrwsc", of="bhwrsc"):
    sizes = dict(zip("bhw", x.shape), r=side, s=side, c=x.shape[-1] // side**2)
    split = x.reshape([sizes[axis] for axis in of])
    return split.transpose([of.index(axis) for axis in order]).reshape(x.shape[0], x.shape[1] * side, -1, sizes["c"])


def channels_of_blocks(x, side, order="bhwrsc"):
    b, h, w, c = x.shape
    split = x.reshape(b, h // side, side, w // side, side, c)
    return split.transpose(["bhrwsc".index(axis) for axis in order]).reshape(b, h // side, w // side, -1)


image = f32(2, 4, 6, 3)
case("transpose", "pixel_shuffle", lambda x: convolved(blocks_of_channels(convolved(x, 8), 2), 3), image)
case("transpose", "pixel_shuffle_crd", lambda x: blocks_of_channels(convolved(x, 8), 2, of="bhwcrs"), image)
case("transpose", "pixel_shuffle_turned", lambda x: blocks_of_channels(convolved(x, 8), 2, "bhswrc"), image)
case("transpose", "pixel_shuffle_alone", lambda x: blocks_of_channels(x, 2), f32(2, 3, 2, 12))
case("transpose", "pixel_shuffle_one", lambda x: blocks_of_channels(convolved(x, 9), 3), image)
case(
    "transpose",
    "pixel_shuffle_any_size",
    lambda x: blocks_of_channels(convolved(x, 8), 2),
    f32("B", "H", 5, 3),
    sizes=({"B": 1, "H": 2}, {"B": 3, "H": 5}),
)
case(
    "transpose",
    "pixel_shuffle_nchw",
    lambda x: x.reshape(2, 3, 2, 2, 4, 5).transpose(0, 1, 4, 2, 5, 3).reshape(2, 3, 8, 10),
    f32(2, 12, 4, 5),
)
case(
    "transpose",
    "pixel_shuffle_no_batch",
    lambda x: x.reshape(2, 2, 3, 4, 5).transpose(2, 3, 0, 4, 1).reshape(3, 8, 10),
    spec("uint8", (12, 4, 5)),
)
case("transpose", "pixel_unshuffle", lambda x: convolved(channels_of_blocks(convolved(x, 2), 2), 3), image)
case("transpose", "pixel_unshuffle_stem", lambda x: convolved(channels_of_blocks(x, 2), 3), image)
case("transpose", "pixel_unshuffle_turned", lambda x: convolved(channels_of_blocks(x, 2, "bhwsrc"), 3), image)
case("transpose", "pixel_unshuffle_one_block", lambda x: convolved(channels_of_blocks(x, 4), 3), f32(1, 4, 4, 3))
case(
    "transpose",
    "pixel_unshuffle_any_size",
    lambda x: channels_of_blocks(convolved(x, 2), 2),
    f32("B", "2*H", 4, 3),
    sizes=({"B": 1, "H": 2}, {"B": 3, "H": 5}),
)


# Operators that move pixels or channels between convolutions.
def gated(x):
    a, b = jnp.split(convolved(x, 4), 2, -1)
    return convolved(jnp.tanh(a) * jnp.abs(b), 3)


def gated_by_slices(x):
    y = convolved(x, 4)
    return convolved(y[..., :2] * jnp.abs(y[..., 2:]), 3)


def split_and_joined(x):
    a, b = jnp.split(convolved(x, 5), [2], -1)
    return convolved(jnp.concatenate([b, a, convolved(b, 2)], -1), 3)


def cropped_and_joined(x):
    y = convolved(x, 2)
    return convolved(jnp.concatenate([y[:, 1:-1, 2:-1], convolved(y, 3)[:, 1:-1, :3]], -1), 3)


def windows(x, kernel_shape, strides=(1, 1)):
    count = math.prod(kernel_shape) * x.shape[-1] * 2
    kernel = jnp.arange(1.0, 1 + count).reshape(*kernel_shape, x.shape[-1], 2) / count
    return lax.conv_general_dilated(x, kernel, strides, "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def padded(x, above, below, left, right, **more):
    return jnp.pad(x, ((0, 0), (above, below), (left, right), (0, 0)), **more)


case("slice", "between_convolutions", lambda x: convolved(convolved(x, 2)[:, 1:3, ::2], 3), image)
any_image = {"sizes": ({"B": 1, "H": 3}, {"B": 3, "H": 5})}
case("slice", "of_any_image", lambda x: convolved(convolved(x, 2)[:, 1:, :-1], 3), f32("B", "H", 6, 3), **any_image)
case("slice", "for_a_gate", gated_by_slices, image)
case("slice", "cropped_and_joined", cropped_and_joined, image)
case("rev", "between_convolutions", lambda x: convolved(convolved(x, 2)[:, :, ::-1], 3), image)
case("split", "for_a_gate", gated, image)
case("split", "split_and_joined", split_and_joined, image)
case("pad", "between_convolutions", lambda x: windows(padded(convolved(x, 2), 1, 2, 0, 1), (3, 2), (2, 1)), image)
case("pad", "of_channels_between", lambda x: convolved(jnp.pad(convolved(x, 2), ((0, 0),) * 3 + ((1, 2),)), 3), image)
case("pad", "of_ones_between", lambda x: windows(padded(convolved(x, 2), 1, 2, 0, 1, constant_values=1), (3, 2)), image)
case("pad", "of_any_image", lambda x: windows(padded(-x, 1, 2, 0, 1), (3, 2)), f32("B", "H", 6, 3), **any_image)


def shuffled(x, groups):
    return x.reshape(*x.shape[:3], groups, -1).swapaxes(3, 4).reshape(x.shape)


def blocks_of_pixels(x, height, width):
    b, h, w, c = x.shape
    return x.reshape(b, h // height, height, w // width, width, c)


def pooled(x, height, width):
    return blocks_of_pixels(x, height, width).mean((2, 4))


def joined_with_mean(x):
    y = convolved(x, 2)
    rest = [jnp.broadcast_to(y.mean((1, 2), keepdims=True), y.shape), jnp.ones((*y.shape[:3], 1))]
    return convolved(jnp.concatenate([y, *rest], -1), 3)


case("transpose", "channel_shuffle", lambda x: convolved(shuffled(convolved(x, 6), 2), 3), image)
case(
    "transpose",
    "channel_shuffle_any_size",
    lambda x: shuffled(convolved(x, 6), 3),
    f32("B", 4, 6, 3),
    sizes=({"B": 1}, {"B": 3}),
)
case("transpose", "channel_shuffle_of_split", lambda x: jnp.split(shuffled(convolved(x, 6), 2), 2, -1), image)
case("tile", "between_convolutions", lambda x: convolved(jnp.tile(convolved(x, 2), (1, 2, 1, 3)), 3), image)
case("concatenate", "mean_and_ones_between", joined_with_mean, image)
case("reshape", "mean_of_blocks", lambda x: convolved(pooled(convolved(x, 8), 2, 3), 2), image)
case("reshape", "mean_of_blocks_nchw", lambda x: x.reshape(2, 9, 2, 2, 3, 2).mean((3, 5)), f32(2, 9, 4, 6))
case(
    "reshape",
    "mean_of_blocks_f64",
    lambda x: pooled(jnp.moveaxis(x, 1, 3), 2, 3),
    spec("float64", (2, 8, 4, 6)),
    x64=True,
)
case("reshape", "mean_of_rows", lambda x: pooled(convolved(x, 8), 2, 1), image)
case("reshape", "mean_of_few_channels", lambda x: pooled(convolved(x, 2), 2, 3), image)
case("reshape", "maximum_of_blocks", lambda x: blocks_of_pixels(convolved(x, 8), 2, 3).max((2, 4)), image)
case(
    "reshape",
    "mean_of_blocks_any_size",
    lambda x: pooled(convolved(x, 8), 2, 3),
    f32("B", "2*H", 6, 3),
    sizes=({"B": 1, "H": 2}, {"B": 3, "H": 5}),
)

# Images that continue beyond their edges, and rolled ones.
for mode in ["edge", "reflect", "wrap"]:
    case("concatenate", f"{mode}_around", lambda x, mode=mode: padded(x, 2, 1, 3, 2, mode=mode), image)
    case(
        "concatenate",
        f"{mode}_between_convolutions",
        lambda x, mode=mode: windows(padded(convolved(x, 2), 1, 1, 1, 1, mode=mode), (3, 3)),
        image,
    )
    for dtype in ["bfloat16", "bool", "int16", "int8", "uint32"]:
        case(
            "concatenate",
            f"{mode}_{dtype}",
            lambda x, mode=mode: jnp.pad(x, ((0, 0), (1, 2)), mode=mode),
            spec(dtype, (2, 4)),
        )
case("concatenate", "reflect_empty_rows", lambda x: jnp.pad(x, ((2, 1), (0, 0)), mode="reflect"), f32(4, 0))
case("concatenate", "reflect_all_rows", lambda x: jnp.pad(x, ((3, 3), (0, 2)), mode="reflect"), f32(4, 3))
case("concatenate", "reflect_twice", lambda x: jnp.pad(x, ((5, 7), (0, 0)), mode="reflect"), f32(4, 3))
case("concatenate", "wrap_all_rows", lambda x: jnp.pad(x, ((4, 4), (0, 3)), mode="wrap"), f32(4, 3))
case("concatenate", "wrap_twice", lambda x: jnp.pad(x, ((5, 7), (0, 0)), mode="wrap"), f32(4, 3))
case("concatenate", "symmetric", lambda x: jnp.pad(x, ((2, 3), (1, 0)), mode="symmetric"), f32(4, 3))
case("concatenate", "edge_of_one_row", lambda x: jnp.pad(x, ((2, 0), (0, 3)), mode="edge"), f32(1, 3))
case("concatenate", "edge_of_any_batch", lambda x: padded(x, 1, 2, 3, 0, mode="edge"), f32("B", 4, 6, 3))
case("concatenate", "edge_behind_wrap", lambda x: jnp.pad(jnp.pad(x, 2, mode="wrap"), 1, mode="edge"), f32(4, 3))
case("concatenate", "first_and_last_rows", lambda x: jnp.concatenate([x[-2:], x, x[:1]]), f32(4, 3))
case("concatenate", "rows_of_another", lambda x, y: jnp.concatenate([y[-2:], x, y[:1]]), f32(4, 3), f32(4, 3))
case("concatenate", "rolled", lambda x: jnp.roll(x, (-1, 2), (0, 1)), f32(4, 3, 33))
case("concatenate", "rolled_rows_of_two", lambda x: jnp.roll(x, 1, 0), f32(4, 2))

# Broadcasts of references, which have a separate primitive.
case("broadcast_to", "row", lambda x: broadcast_to(x, (2, 3, 4)), f32(4))
case("broadcast_to", "column", lambda x: broadcast_to(x, (2, 3, 4)), f32(3, 1))
case("broadcast_to", "complex", lambda x: broadcast_to(x, (2, 3)), c64(3))
case("dimension_size", "rows", lambda x: dimension_size_p.bind(x, dimension=0) * 2, f32(5, 3))
case("dimension_size", "any_size", lambda x: dimension_size_p.bind(x, dimension=1) * 2, f32(2, "B"))
