# SPDX-License-Identifier: Apache-2.0
"""Kernels of Pallas, as JAX's interpreter computes them."""

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import mosaic_gpu as plgpu
from jax.experimental.pallas import tpu as pltpu
from jax.experimental.pallas import triton as pltriton

from table import arr, bf16, boolean, case, f32, i8, i32, spec

struct = jax.ShapeDtypeStruct


def call(kernel, out, **options):
    """A call of a kernel; results given by extents are f32."""
    shapes = jax.tree.map(lambda s: s if isinstance(s, struct) else struct(s, "float32"), out, is_leaf=is_shape)
    return pl.pallas_call(kernel, shapes, interpret=True, **options)


def is_shape(x):
    return isinstance(x, struct) or (isinstance(x, tuple) and all(isinstance(d, int) for d in x))


def block(shape, index_map=None):
    return pl.BlockSpec(shape, index_map)


# Grids and blocks.
def scale(x, o):
    o[...] = x[...] * 2 + 1


case("pallas_call", "one_step", call(scale, (3, 5)), f32(3, 5))
blocks = block((2, 4), lambda i, j: (i, j))
case("pallas_call", "parallel", call(scale, (4, 8), grid=(2, 2), in_specs=[blocks], out_specs=blocks), f32(4, 8))
case("pallas_call", "edges", call(scale, (5, 7), grid=(3, 2), in_specs=[blocks], out_specs=blocks), f32(5, 7))
case(
    "pallas_call",
    "many_steps",
    call(
        scale,
        (200, 4),
        grid=(100,),
        in_specs=[block((2, 4), lambda i: (i, 0))],
        out_specs=block((2, 4), lambda i: (i, 0)),
    ),
    f32(200, 4),
)
case(
    "pallas_call",
    "reversed_blocks",
    call(scale, (6,), grid=(3,), in_specs=[block((2,), lambda i: (i,))], out_specs=block((2,), lambda i: (2 - i,))),
    f32(6),
)


def transpose(x, o):
    o[...] = x[...].T


case(
    "pallas_call",
    "transpose",
    call(
        transpose,
        (6, 4),
        grid=(2, 3),
        in_specs=[block((2, 2), lambda i, j: (i, j))],
        out_specs=block((2, 2), lambda i, j: (j, i)),
    ),
    f32(4, 6),
)


def matmul(x, y, o):
    o[...] = x[...] @ y[...]


case(
    "pallas_call",
    "matmul_rows_columns",
    call(
        matmul,
        (4, 6),
        grid=(2, 3),
        in_specs=[block((2, 5), lambda i, j: (i, 0)), block((5, 2), lambda i, j: (0, j))],
        out_specs=block((2, 2), lambda i, j: (i, j)),
    ),
    f32(4, 5),
    f32(5, 6),
)


def matmul_into(x, y, o, total):
    @pl.when(pl.program_id(2) == 0)
    def _():
        total[...] = jnp.zeros_like(total)

    total[...] += jnp.dot(x[...], y[...], preferred_element_type=jnp.float32)

    @pl.when(pl.program_id(2) == pl.num_programs(2) - 1)
    def _():
        o[...] = total[...].astype(o.dtype)


def tiled(dtype, scratch, kernel=matmul_into):
    return call(
        kernel,
        struct((4, 6), dtype),
        grid=(2, 3, 2),
        in_specs=[block((2, 4), lambda i, j, k: (i, k)), block((4, 2), lambda i, j, k: (k, j))],
        out_specs=block((2, 2), lambda i, j, k: (i, j)),
        scratch_shapes=[pltpu.VMEM((2, 2), scratch)],
    )


case("pallas_call", "matmul_tiled", tiled("float32", "float32"), f32(4, 8), f32(8, 6))
case("pallas_call", "matmul_tiled_bfloat16", tiled("bfloat16", "float32"), bf16(4, 8), bf16(8, 6))


def dequantized(x, y, scales, o):
    total = lax.dot_general(x[...], y[...], (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32)
    o[...] = total.astype("float32") * scales[...]


case(
    "pallas_call",
    "matmul_int8",
    call(
        dequantized,
        (4, 6),
        grid=(2, 3),
        in_specs=[
            block((2, 8), lambda i, j: (i, 0)),
            block((8, 2), lambda i, j: (0, j)),
            block((1, 2), lambda i, j: (0, j)),
        ],
        out_specs=block((2, 2), lambda i, j: (i, j)),
    ),
    i8(4, 8),
    i8(8, 6),
    f32(1, 6),
)


def layer_norm(x, gamma, beta, o):
    centered = x[...] - x[...].mean(-1, keepdims=True)
    o[...] = centered * lax.rsqrt((centered**2).mean(-1, keepdims=True) + 1e-5) * gamma[...] + beta[...]


rows = block((4, 8), lambda i: (i, 0))
whole = block((8,), lambda i: (0,))
case(
    "pallas_call",
    "layer_norm",
    call(layer_norm, (12, 8), grid=(3,), in_specs=[rows, whole, whole], out_specs=rows),
    f32(12, 8),
    f32(8),
    f32(8),
)


def softmax(x, o):
    e = jnp.exp(x[...] - x[...].max(-1, keepdims=True))
    o[...] = e / e.sum(-1, keepdims=True)


case("pallas_call", "softmax", call(softmax, (12, 8), grid=(3,), in_specs=[rows], out_specs=rows), f32(12, 8))


def flash_attention(q, k, v, o, top, total, weighted):
    @pl.when(pl.program_id(2) == 0)
    def _():
        top[...] = jnp.full_like(top, -jnp.inf)
        total[...] = jnp.zeros_like(total)
        weighted[...] = jnp.zeros_like(weighted)

    scores = q[...] @ k[...].T * 0.5
    new_top = jnp.maximum(top[...], scores.max(-1, keepdims=True))
    old, p = jnp.exp(top[...] - new_top), jnp.exp(scores - new_top)
    total[...] = total[...] * old + p.sum(-1, keepdims=True)
    weighted[...] = weighted[...] * old + p @ v[...]
    top[...] = new_top

    @pl.when(pl.program_id(2) == pl.num_programs(2) - 1)
    def _():
        o[...] = weighted[...] / total[...]


case(
    "pallas_call",
    "flash_attention",
    call(
        flash_attention,
        (2, 8, 4),
        grid=(2, 2, 3),
        in_specs=[
            block((None, 4, 4), lambda b, i, j: (b, i, 0)),
            block((None, 2, 4), lambda b, i, j: (b, j, 0)),
            block((None, 2, 4), lambda b, i, j: (b, j, 0)),
        ],
        out_specs=block((None, 4, 4), lambda b, i, j: (b, i, 0)),
        scratch_shapes=[pltpu.VMEM((4, 1), "float32"), pltpu.VMEM((4, 1), "float32"), pltpu.VMEM((4, 4), "float32")],
    ),
    f32(2, 8, 4),
    f32(2, 6, 4),
    f32(2, 6, 4),
)


def halo(x, w, o):
    o[...] = sum(x[i : i + 4] * w[i] for i in range(3))


case(
    "pallas_call",
    "halo",
    call(
        halo,
        (12,),
        grid=(3,),
        in_specs=[pl.BlockSpec((pl.Element(6, (1, 1)),), lambda i: (4 * i,)), block((3,), lambda i: (0,))],
        out_specs=block((4,), lambda i: (i,)),
    ),
    f32(12),
    f32(3),
)


# Values that are carried from one step to the next one.
def reduction(x, o):
    @pl.when(pl.program_id(0) == 0)
    def _():
        o[0, 0] = 0.0

    o[0, 0] += x[...].sum()


case(
    "pallas_call",
    "sum_to_scalar",
    call(
        reduction,
        (1, 1),
        grid=(4,),
        in_specs=[block((2, 3), lambda i: (i, 0))],
        out_specs=block((1, 1), lambda i: (0, 0)),
    ),
    f32(8, 3),
)


def cumsum(x, o, carry):
    @pl.when(pl.program_id(0) == 0)
    def _():
        carry[...] = jnp.zeros_like(carry)

    sums = jnp.cumsum(x[...], 0) + carry[...]
    o[...] = sums
    carry[...] = sums[-1:]


def carried(steps):
    columns = block((2, 3), lambda i: (i, 0))
    scratch = [pltpu.VMEM((1, 3), "float32")]
    return call(cumsum, (2 * steps, 3), grid=(steps,), in_specs=[columns], out_specs=columns, scratch_shapes=scratch)


case("pallas_call", "cumsum", carried(4), f32(8, 3))
case("pallas_call", "cumsum_many_steps", carried(80), f32(160, 3))


def parallel_then_carried(x, o, carry):
    @pl.when(pl.program_id(1) == 0)
    def _():
        carry[0] = 1.0

    carry[0] = carry[0] * 0.5 + x[...].sum()
    o[...] = x[...] + carry[0]


case(
    "pallas_call",
    "carried_along_one_axis",
    call(
        parallel_then_carried,
        (4, 6),
        grid=(4, 3),
        in_specs=[block((1, 2), lambda i, j: (i, j))],
        out_specs=block((1, 2), lambda i, j: (i, j)),
        scratch_shapes=[pltpu.SMEM((1,), "float32")],
    ),
    f32(4, 6),
)


def carried_everywhere(x, o, carry):
    @pl.when((pl.program_id(0) == 0) & (pl.program_id(1) == 0))
    def _():
        carry[0] = 0.0

    carry[0] += x[...].max()
    o[...] = x[...] + carry[0]


case(
    "pallas_call",
    "carried_along_all_axes",
    call(
        carried_everywhere,
        (4, 6),
        grid=(4, 3),
        in_specs=[block((1, 2), lambda i, j: (i, j))],
        out_specs=block((1, 2), lambda i, j: (i, j)),
        scratch_shapes=[pltpu.SMEM((1,), "float32")],
    ),
    f32(4, 6),
)


def histogram(x, o):
    @pl.when(pl.program_id(0) == 0)
    def _():
        o[...] = jnp.zeros_like(o)

    def count(i, _):
        o[x[i]] += 1

    lax.fori_loop(0, 4, count, None)


case(
    "pallas_call",
    "histogram",
    call(
        histogram,
        struct((5,), "int32"),
        grid=(3,),
        in_specs=[block((4,), lambda i: (i,))],
        out_specs=block((5,), lambda i: (0,)),
    ),
    spec("int32", (12,), 0, 4),
)


def last_write_wins(x, o):
    o[...] = x[...]


case(
    "pallas_call",
    "last_write_wins",
    call(
        last_write_wins,
        (2, 3),
        grid=(4,),
        in_specs=[block((1, 3), lambda i: (i, 0))],
        out_specs=block((1, 3), lambda i: (i % 2, 0)),
    ),
    f32(4, 3),
)


def when_on_data(x, o):
    o[...] = x[...]

    @pl.when(x[...].sum() > 0)
    def _():
        o[...] = -x[...]


case(
    "pallas_call",
    "when_on_data",
    call(
        when_on_data,
        (6, 2),
        grid=(6,),
        in_specs=[block((1, 2), lambda i: (i, 0))],
        out_specs=block((1, 2), lambda i: (i, 0)),
    ),
    f32(6, 2),
)


def halved_until_small(x, o):
    o[...] = x[...]

    def step(carry):
        o[...] = o[...] * 0.5
        return carry[0] + 1, jnp.abs(o[...]).max()

    lax.while_loop(lambda carry: (carry[0] < 5) & (carry[1] > 0.5), step, (0, jnp.abs(x[...]).max()))


case(
    "pallas_call",
    "while_on_data",
    call(
        halved_until_small,
        (4, 2),
        grid=(4,),
        in_specs=[block((1, 2), lambda i: (i, 0))],
        out_specs=block((1, 2), lambda i: (i, 0)),
    ),
    f32(4, 2),
)


def dropout(x, o):
    n = lax.broadcasted_iota(jnp.int32, x.shape, 0) + 4 * pl.program_id(0)
    o[...] = jnp.where((n * 7 + 3) % 5 < 2, 0.0, x[...])


case("program_id", "dropout", call(dropout, (12, 8), grid=(3,), in_specs=[rows], out_specs=rows), f32(12, 8))


def number_of_programs(n, x):
    def kernel(x, o):
        o[...] = x[...] * pl.num_programs(0) + pl.program_id(0)

    rows = block((2, 2), lambda i: (i, 0))
    return call(kernel, (8, 2), grid=(n,), in_specs=[rows], out_specs=rows)(x)


case("num_programs", "dynamic_grid", number_of_programs, arr(4, "int32"), f32(8, 2))
case("pallas_call", "vmap", jax.vmap(call(softmax, (12, 8), grid=(3,), in_specs=[rows], out_specs=rows)), f32(2, 12, 8))
case(
    "pallas_call",
    "vmap_program_id",
    jax.vmap(call(dropout, (12, 8), grid=(3,), in_specs=[rows], out_specs=rows)),
    f32(2, 12, 8),
)


# Scalar prefetch, aliases.
def copy(ids, x, o):
    o[...] = x[...]


case(
    "pallas_call",
    "prefetch_gather",
    call(
        copy,
        (5, 4),
        grid_spec=pltpu.PrefetchScalarGridSpec(
            num_scalar_prefetch=1,
            grid=(5,),
            in_specs=[block((1, 4), lambda i, ids: (ids[i], 0))],
            out_specs=block((1, 4), lambda i, ids: (i, 0)),
        ),
    ),
    spec("int32", (5,), 0, 6),
    f32(7, 4),
)


def copy_into(ids, x, y, o):
    o[...] = x[...] + y[...]


case(
    "pallas_call",
    "prefetch_scatter_alias",
    call(
        copy_into,
        (6, 4),
        grid_spec=pltpu.PrefetchScalarGridSpec(
            num_scalar_prefetch=1,
            grid=(3,),
            in_specs=[block((1, 4), lambda i, ids: (i, 0)), block((1, 4), lambda i, ids: (ids[i], 0))],
            out_specs=block((1, 4), lambda i, ids: (ids[i], 0)),
        ),
        input_output_aliases={2: 0},
    ),
    arr([4, 0, 2], "int32"),
    f32(3, 4),
    f32(6, 4),
)


def add_in_place(x, y, o):
    o[...] = x[...] + y[...]


case(
    "pallas_call",
    "alias_partly_written",
    call(
        add_in_place,
        (6,),
        grid=(2,),
        in_specs=[block((2,), lambda i: (i,)), block((2,), lambda i: (i,))],
        out_specs=block((2,), lambda i: (i,)),
        input_output_aliases={0: 0},
    ),
    f32(6),
    f32(6),
)


def dynamic_grid(n, x):
    return call(
        scale, (8, 2), grid=(n,), in_specs=[block((2, 2), lambda i: (i, 0))], out_specs=block((2, 2), lambda i: (i, 0))
    )(x)


case("pallas_call", "dynamic_grid", dynamic_grid, arr(4, "int32"), f32(8, 2))


def before_the_start(x, o):
    i = pl.program_id(0)
    o[...] = x[...] * 2
    o[pl.ds(i - 1, 1), pl.ds(i, 2)] = x[i - 2, pl.ds(-i, 2)][None]


case(
    "pallas_call",
    "before_the_start",
    call(
        before_the_start,
        (6, 4),
        grid=(3,),
        in_specs=[block((2, 4), lambda i: (i, 0))],
        out_specs=block((2, 4), lambda i: (i, 0)),
    ),
    f32(6, 4),
)


# Memory.
def masked_rows(x, o):
    n = pl.program_id(0) * 4
    lanes = n + jnp.arange(4)
    values = pltriton.load(x.at[pl.ds(n, 4)], mask=lanes < 10, other=-1.0)
    pltriton.store(o.at[pl.ds(n, 4)], values * 2, mask=lanes < 10)


case("masked_load", "beyond_the_end", call(masked_rows, (10,), grid=(3,)), f32(10))


def masked_before(x, o):
    n = pl.program_id(0) * 4 - 2
    lanes = n + jnp.arange(4)
    o[...] = pltriton.load(x.at[pl.ds(n, 4)], mask=lanes != 3, other=-1.0)


case(
    "masked_load",
    "before_the_start",
    call(
        masked_before, (12,), grid=(3,), in_specs=[block((10,), lambda i: (0,))], out_specs=block((4,), lambda i: (i,))
    ),
    f32(10),
)


def masked_store(x, mask, o):
    o[...] = jnp.zeros(o.shape, o.dtype)
    pltriton.store(o.at[...], x[...], mask=mask[...])


case("masked_swap", "mask", call(masked_store, (3, 4)), f32(3, 4), boolean(3, 4))


def gathered(x, ids, o):
    values = pltriton.load(x.at[ids[...], jnp.arange(3)], mask=ids[...] < 4, other=7.0)
    pltriton.store(o.at[2 - jnp.arange(3)], values)


case("masked_load", "indices", call(gathered, (3,)), f32(4, 3), arr([3, 5, 0], "int32"))


def scoped(x, o):
    def body(first, second):
        first[...] = x[...] + 1
        second[0] = first[...].sum()
        o[...] = first[...] * second[0]

    pl.run_scoped(body, pltpu.VMEM((3, 4), jnp.float32), pltpu.SMEM((1,), jnp.float32))


case("run_scoped", "two_refs", call(scoped, (3, 4)), f32(3, 4))


def unwritten(x, o):
    def body(memory):
        memory[0] = x[0]
        o[...] = memory[...].astype(jnp.float32)

    pl.run_scoped(body, pltpu.VMEM((2, 4), jnp.int32))


case(
    "run_scoped",
    "unwritten",
    call(
        unwritten,
        (6, 4),
        grid=(3,),
        in_specs=[block((2, 4), lambda i: (i, 0))],
        out_specs=block((2, 4), lambda i: (i, 0)),
    ),
    i32(6, 4),
)
anywhere = pl.BlockSpec(memory_space=pl.ANY)


def dma(x, o, buffer, semaphore):
    i = pl.program_id(0)
    copy_in = pltpu.make_async_copy(x.at[pl.ds(2 * i, 2)], buffer.at[1], semaphore.at[0])
    copy_in.start()
    copy_in.wait()
    buffer[0] = buffer[1] * 3
    pltpu.sync_copy(buffer.at[0], o.at[pl.ds(4 - 2 * i, 2)])


dmas = call(
    dma,
    (6, 4),
    grid=(3,),
    in_specs=[anywhere],
    out_specs=anywhere,
    scratch_shapes=[pltpu.VMEM((2, 2, 4), "float32"), pltpu.SemaphoreType.DMA((1,))],
)
case("dma_start", "blocks", dmas, f32(6, 4))
case("dma_wait", "blocks", dmas, f32(6, 4))


def signals(x, o, semaphore):
    pl.semaphore_signal(semaphore, 2)
    o[...] = x[...] + 1
    pl.semaphore_wait(semaphore, 2)


signaled = call(signals, (4,), scratch_shapes=[pltpu.SemaphoreType.REGULAR])
case("semaphore_signal", "one", signaled, f32(4))
case("semaphore_wait", "one", signaled, f32(4))


def delayed(x, o):
    pl.delay(1)
    o[...] = x[...]
    pltriton.debug_barrier()


def atomics(x, ids, o):
    o[...] = jnp.zeros(o.shape, o.dtype)
    for i in range(3):
        pltriton.atomic_add(o, (ids[i],), x[i])
    pltriton.atomic_max(o, (pl.ds(1, 2),), x[:2])


case("atomic_rmw", "add", call(atomics, (4,)), f32(3), arr([3, 3, 1], "int32"))


# Features that JAX runs on accelerators only: `reference` computes the expected results.
def on_accelerator(traced, reference):
    return lambda x: traced(x) if isinstance(x, jax.core.Tracer) else reference(x)


def accelerated(primitive, name, traced, reference, argument):
    case(primitive, name, on_accelerator(traced, reference), argument, eager=True)


delay = pl.pallas_call(delayed, struct((4,), "float32"))
accelerated("delay", "one", delay, lambda x: x, f32(4))
accelerated("debug_barrier_p", "one", delay, lambda x: x, f32(4))


def halves_swapped(x):
    return jnp.concatenate([x[4:], x[:4]])


def swap_halves(x, o):
    i = lax.axis_index("core")
    pltpu.sync_copy(x.at[pl.ds(4 * i, 4)], o.at[pl.ds(4 - 4 * i, 4)])


def cores():
    return pltpu.create_tensorcore_mesh("core", num_cores=2)


def mapped_over_programs(x):
    return pl.kernel(swap_halves, struct((8, 4), "float32"), mesh=cores())(x)


def mapped_over_cores(x):
    source, target = jax.new_ref(x), jax.new_ref(jnp.zeros_like(x))
    pl.core_map(cores())(lambda: swap_halves(source, target))
    return jax.freeze(target)


accelerated("mpmd_map", "cores", mapped_over_programs, halves_swapped, f32(8, 4))
accelerated("core_map", "cores", mapped_over_cores, halves_swapped, f32(8, 4))


def through_shared_memory(x):
    def kernel(x, o, shared, arrived, other):
        plgpu.copy_gmem_to_smem(x, shared, arrived)
        plgpu.barrier_wait(arrived)
        shared[...] = shared[...] + 1
        plgpu.barrier_arrive(other)
        plgpu.commit_smem()
        plgpu.copy_smem_to_gmem(shared, o, commit_group=False)
        plgpu.commit_smem_to_gmem_group()
        plgpu.wait_smem_to_gmem(0)

    scratch = [plgpu.SMEM((128,), jnp.float32), plgpu.Barrier(), plgpu.Barrier()]
    return plgpu.kernel(kernel, struct((128,), "float32"), scratch_types=scratch)(x)


for primitive in [
    "barrier_arrive",
    "barrier_wait",
    "commit_group",
    "commit_smem",
    "copy_gmem_to_smem",
    "copy_smem_to_gmem",
    "wait_smem_to_gmem",
]:
    accelerated(primitive, "shared_memory", through_shared_memory, lambda x: x + 1, f32(128))


def on_grid_and_threads(x):
    def kernel(x, o):
        part = pl.ds(4 * lax.axis_index("i") + 2 * lax.axis_index("thread"), 2)
        o[part] = x[part] * 2

    options = {"grid": (2,), "grid_names": ("i",), "num_threads": 2, "thread_name": "thread"}
    return plgpu.kernel(kernel, struct((8,), "float32"), **options)(x)


accelerated("mpmd_map", "grid_and_threads", on_grid_and_threads, lambda x: x * 2, f32(8))


# Vectors of TPUs.
def on_rows(kernel):
    rows = block((2, 8), lambda i: (i, 0))
    return call(lambda x, o: o.__setitem__(..., kernel(x[...])), (8, 8), grid=(4,), in_specs=[rows], out_specs=rows)


case("roll", "known", on_rows(lambda x: pltpu.roll(x, 3, 1)), f32(8, 8))
case("roll", "computed", on_rows(lambda x: pltpu.roll(x, 3 * pl.program_id(0), 1)), f32(8, 8))
case("roll", "stride", on_rows(lambda x: pltpu.roll(x, 1, 1, stride=2, stride_axis=0)), f32(8, 8))
magnitude = on_rows(lambda x: pltpu.bitcast(pltpu.bitcast(x, jnp.int32) & 0x7FFFFFFF, jnp.float32))
case("bitcast", "magnitude", magnitude, f32(8, 8))


# Loops of parallel programs that end at different times, and arrays that index blocks.
def causal_sums(x, o):
    last = pl.program_id(0) + 1

    def step(j, total):
        return total + x[pl.ds(j, 1), :]

    o[...] = lax.fori_loop(0, last, step, jnp.zeros((1, 4), jnp.float32))


all_rows = block((4, 4), lambda i: (0, 0))
one_row = block((1, 4), lambda i: (i, 0))
case(
    "pallas_call",
    "causal_sums",
    call(causal_sums, (4, 4), grid=(4,), in_specs=[all_rows], out_specs=one_row),
    f32(4, 4),
)


def picked_lanes(x, o):
    o[...] = pltriton.load(x.at[0, 3 - jnp.arange(4)], mask=jnp.arange(4) < 3, other=9.0)[None]


case(
    "pallas_call",
    "picked_lanes",
    call(picked_lanes, (4, 4), grid=(4,), in_specs=[one_row], out_specs=one_row),
    f32(4, 4),
)


def previous_block(x, o):
    o[...] = x[...] + 1


before = block((2, 3), lambda i: (i - 1, 0))  # the last block for the first program
case(
    "pallas_call",
    "block_before",
    call(previous_block, (6, 3), grid=(3,), in_specs=[before], out_specs=block((2, 3), lambda i: (i, 0))),
    f32(6, 3),
)
case("pallas_call", "approximate_reciprocal", on_rows(lambda x: pl.reciprocal(x, approx=True)), f32(8, 8))
