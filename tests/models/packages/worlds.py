# SPDX-License-Identifier: Apache-2.0
"""Images, Lie groups, signatures, Gaussian processes, games, more graphs, symmetries, molecules, physics, samplers."""

import jax
import jax.numpy as jnp
import numpy as np

from table import f32, i32, key
from zoo import filled, leaves, linen, model

rng = np.random.default_rng(0)
picture = f32("B", 8, 10, 3).between(0, 1)


@model("dm_pix_colours", picture, rtol=2e-3, atol=1e-3)
def colours():
    import dm_pix as pix

    return leaves(
        lambda x: (
            pix.adjust_brightness(x, 0.1),
            pix.adjust_contrast(x, 1.5),
            pix.adjust_gamma(x, 2.0, gain=0.9),
            pix.adjust_saturation(x, 0.4),
            pix.adjust_hue(x, 0.2),
            pix.rgb_to_hsv(x),
            pix.hsl_to_rgb(x),
            pix.rgb_to_grayscale(x),
            pix.solarize(x, 0.5),
            pix.rgb_to_hsl(x),
        )
    )


@model("dm_pix_geometry", f32(8, 10, 3).between(0, 1), rtol=2e-3, atol=1e-3)
def geometry():
    import dm_pix as pix

    return leaves(
        lambda x: (
            pix.gaussian_blur(x, 1.0, 3),
            pix.rot90(x),
            pix.flip_left_right(x),
            pix.center_crop(x, 4, 4),
            pix.pad_to_size(x, 12, 12),
            pix.resize_with_crop_or_pad(x, 6, 12),
            pix.depth_to_space(jnp.tile(x, (1, 1, 4))[..., :12], 2),
            pix.space_to_depth(x, 2),
            pix.rotate(x, 0.4),
            pix.affine_transform(x, jnp.array([[1.0, 0.2, 0.0], [0.1, 1.0, 0.0], [0, 0, 1.0]])),
            pix.ssim(x[None], x[None] * 0.9, filter_size=3),
            pix.psnr(x, x * 0.9),
            pix.elastic_deformation(jax.random.key(0), x, 2.0, 3.0, mode="nearest"),
        )
    )


@model("dm_pix_random", f32(8, 10, 3).between(0, 1), key(1), rtol=2e-3, atol=1e-3)
def augmentation():
    import dm_pix as pix

    def run(x, k):
        a, b, c, d, e = jax.random.split(k, 5)
        return (
            pix.random_brightness(a, x, 0.3),
            pix.random_contrast(b, x, 0.5, 1.5),
            pix.random_crop(c, x, (4, 4, 3)),
            pix.random_flip_left_right(d, x),
            pix.random_hue(e, x, 0.1),
        )

    return leaves(run)


@model("jaxlie_groups", f32("B", 6), f32("B", 3), rtol=2e-3, atol=1e-3)
def lie():
    import jaxlie

    def run(tangent, point):
        pose = jaxlie.SE3.exp(tangent)
        turn = jaxlie.SO3.exp(tangent[:3])
        return (
            pose.apply(point),
            pose.log(),
            pose.inverse().as_matrix(),
            turn.as_quaternion_xyzw(),
            (turn @ turn).log(),
            pose.adjoint(),
            jaxlie.SE2.exp(point).as_matrix(),
            turn.as_rpy_radians(),
            jaxlie.manifold.rplus(pose, tangent * 0.1).wxyz_xyz,
        )

    return leaves(jax.vmap(run))


@model("jaxlie_least_squares", f32(6), rtol=5e-3, atol=1e-3)
def lie_gradient():
    import jaxlie

    return leaves(lambda x: jaxlie.manifold.grad(lambda pose: jnp.sum(pose.log() ** 2))(jaxlie.SE3.exp(x)))


@model("signax_signature", f32(6, 2), rtol=2e-3, atol=1e-3)
def signature():
    import signax

    return leaves(lambda path: (signax.signature(path, 3), signax.logsignature(path, 3)))


@model("sympy_module", f32("B"), f32("B"))
def symbols():
    import sympy
    import sympy2jax

    a, b = sympy.symbols("a b")
    net = sympy2jax.SymbolicModule([sympy.exp(-(a**2)) * sympy.cos(b) + a / (1 + b**2), sympy.Max(a, b**3)])
    return leaves(lambda x, y: net(a=x, b=y))


@model("gpjax_regression", f32(8, 1), f32(8, 1), f32(3, 1), rtol=5e-3, atol=1e-2, x64=True)
def gp():
    import gpjax as gpx

    def run(x, y, t):
        x, y, t = (v.astype("float64") for v in (x, y, t))
        prior = gpx.gps.Prior(
            mean_function=gpx.mean_functions.Zero(), kernel=gpx.kernels.RBF() + gpx.kernels.Matern32()
        )
        posterior = prior * gpx.likelihoods.Gaussian()
        data = gpx.Dataset(X=x, y=y)
        latent = posterior.predict(t, train_data=data)
        return latent.mean, latent.variance, gpx.objectives.conjugate_mll(posterior, data)

    return leaves(run)


for game in ["tic_tac_toe", "connect_four", "2048", "othello", "kuhn_poker", "hex", "animal_shogi"]:

    @model("pgx_" + game, key(2), i32(3).between(0, 3))
    def play(game=game):
        import pgx

        environment = pgx.make(game)

        def run(k, actions):
            state = environment.init(k)
            for i in range(3):
                state = (
                    environment.step(state, actions[i], jax.random.fold_in(k, i))
                    if game == "2048"
                    else environment.step(state, actions[i])
                )
            return state.observation, state.rewards, state.legal_action_mask, state.terminated

        return leaves(run)


def graph_of(jraph, nodes, edges=None):
    return jraph.GraphsTuple(
        nodes=nodes,
        edges=edges,
        senders=jnp.array([0, 1, 2, 3, 4, 0, 2]),
        receivers=jnp.array([1, 2, 0, 4, 3, 3, 4]),
        n_node=jnp.array([3, 2]),
        n_edge=jnp.array([4, 3]),
        globals=jnp.zeros((2, 1)),
    )


@model("jraph_networks", f32(5, 3), f32(7, 2))
def networks():
    import jraph

    w = rng.normal(size=(16, 4)).astype("f4")
    layers = [
        jraph.GraphNetwork(
            lambda e, s, r, g: jnp.tanh(jnp.concatenate([e, s, r, g], -1) @ w[:9]),
            lambda n, s, r, g: jnp.tanh(jnp.concatenate([n, s, r, g], -1) @ w[:12]),
            lambda n, e, g: jnp.concatenate([n, e, g], -1),
        ),
        jraph.InteractionNetwork(
            lambda e, s, r: jnp.tanh(jnp.concatenate([e, s, r], -1) @ w[:8]), lambda n, r: jnp.concatenate([n, r], -1)
        ),
        jraph.RelationNetwork(lambda s, r: s * r, lambda e: e.sum(-1, keepdims=True)),
        jraph.DeepSets(lambda n, g: jnp.concatenate([n, g], -1), lambda n: n),
        jraph.GraphConvolution(lambda n: n @ w[:3]),
    ]
    return leaves(
        lambda n, e: [(lambda out: (out.nodes, out.globals))(layer(graph_of(jraph, n, e))) for layer in layers]
    )


@model("jraph_segments", f32(7, 2), i32(7).between(0, 3))
def segments():
    import jraph

    return leaves(
        lambda x, s: (
            [
                f(x, s, 4)
                for f in (
                    jraph.segment_sum,
                    jraph.segment_mean,
                    jraph.segment_variance,
                    jraph.segment_normalize,
                    jraph.segment_max,
                    jraph.segment_min_or_constant,
                    jraph.segment_max_or_constant,
                )
            ]
            + [jraph.segment_softmax(x[:, 0], s, 4)]
        )
    )


@model("jraph_gradient", f32(5, 3))
def graph_gradient():
    import jraph

    w = rng.normal(size=(3, 4)).astype("f4")
    layer = jraph.GraphConvolution(lambda n: jnp.tanh(n @ w), symmetric_normalization=True, add_self_edges=True)
    return leaves(jax.grad(lambda n: (layer(graph_of(jraph, n)).nodes ** 2).sum()))


def irreps(x):
    import e3nn_jax as e3nn

    return e3nn.IrrepsArray("2x0e + 2x1o", x)


@model("e3nn_layers", f32("B", 8), rtol=2e-3, atol=1e-3)
def e3nn_layers():
    import e3nn_jax as e3nn

    return leaves(
        lambda x: (
            [
                v.array
                for v in (
                    e3nn.norm(irreps(x)),
                    e3nn.norm_activation(irreps(x), [jax.nn.tanh, jax.nn.sigmoid]),
                    e3nn.scalar_activation(irreps(x), [jax.nn.gelu, None]),
                    e3nn.tensor_square(irreps(x)),
                    e3nn.elementwise_tensor_product(irreps(x), irreps(x)),
                    e3nn.concatenate([irreps(x), irreps(x)]).regroup(),
                )
            ]
            + [e3nn.dot(irreps(x), irreps(x)).array]
        )
    )


@model("e3nn_message_passing", f32(4, 3), f32(4, 8), rtol=2e-3, atol=1e-3)
def message_passing():
    """A layer as in NequIP."""
    import e3nn_jax as e3nn

    senders, receivers = jnp.array([0, 1, 2, 3, 0]), jnp.array([1, 2, 3, 0, 2])
    linear = e3nn.flax.Linear("2x0e + 2x1o")
    w = rng.normal(size=(8, 8)).astype("f4")
    product = lambda p, x: e3nn.tensor_product(
        irreps(x)[senders],
        e3nn.spherical_harmonics("0e + 1o + 2e", e3nn.IrrepsArray("1o", p[receivers] - p[senders]), True),
        filter_ir_out=["0e", "1o"],
    )

    def messages(p, x):
        length = jnp.linalg.norm(p[receivers] - p[senders], axis=-1)
        radial = e3nn.bessel(length, 8, 5.0) @ w * e3nn.poly_envelope(5, 2)(length / 5)[:, None]
        return e3nn.scatter_sum(product(p, x) * radial[:, :1], dst=receivers, output_size=4)

    params = filled(
        jax.eval_shape(
            lambda p, x: linear.init(jax.random.key(0), messages(p, x)), np.zeros((4, 3), "f4"), np.zeros((4, 8), "f4")
        )
    )
    return leaves(lambda p, x: linear.apply(params, messages(p, x)).array)


@model("e3nn_spherical_signal", f32(4), rtol=2e-3, atol=1e-3)
def spherical_signal():
    import e3nn_jax as e3nn

    return leaves(
        lambda x: e3nn.to_s2grid(e3nn.IrrepsArray("0e + 1o", x), 6, 5, quadrature="gausslegendre", fft=True).grid_values
    )


@model("e3nn_rotation", f32(3), f32(8), rtol=2e-3, atol=1e-3)
def rotation():

    return leaves(lambda a, x: irreps(x).transform_by_angles(a[0], a[1], a[2]).array)


potentials = {
    "morse": lambda energy, d: energy.morse_pair(d, epsilon=1.0, sigma=1.0, alpha=2.0),
    "stillinger_weber": lambda energy, d: energy.stillinger_weber(d),
    "bks": lambda energy, d: (
        energy.bks_silica_pair(d, jnp.array([0, 1, 1, 0, 1, 1]))
        if hasattr(energy, "bks_silica_pair")
        else energy.soft_sphere_pair(d)
    ),
    "gupta": lambda energy, d: energy.gupta_potential(d, 0.2, 1.2, 2.5, 8.0, 3.0, 5.0),
}
for name, create in potentials.items():

    @model("jax_md_" + name, f32(6, 3).between(0, 4), rtol=5e-3, atol=1e-2)
    def potential(create=create):
        from jax_md import energy, space

        displacement, _ = space.periodic(4.0)
        function = create(energy, displacement)
        return leaves(lambda r: (function(r), jax.grad(lambda r: jnp.tanh(1e-4 * function(r)))(r)))


@model("jax_md_langevin", f32(4, 2).between(0, 4), key(3), rtol=5e-3, atol=1e-3)
def langevin():
    from jax_md import energy, simulate, space

    displacement, shift = space.periodic(4.0)
    init, step = simulate.nvt_langevin(energy.soft_sphere_pair(displacement), shift, 1e-3, 0.5)
    return leaves(lambda r, k: jax.lax.fori_loop(0, 3, lambda i, s: step(s), init(k, r)).position)


@model("jax_md_rigid_body", f32(4, 2).between(0, 4), rtol=5e-3, atol=1e-3)
def structure():
    from jax_md import quantity, space

    displacement, _ = space.periodic(4.0)
    return leaves(
        lambda r: (
            quantity.kinetic_energy(velocity=r, mass=1.0),
            quantity.pair_correlation(displacement, jnp.linspace(0.1, 2, 10), 0.1)(r),
        )
    )


for name in ["fast", "inverted_double_pendulum", "ant"]:

    @model("brax_" + name, f32({"fast": 1, "inverted_double_pendulum": 1, "ant": 8}[name]), rtol=1e-2, atol=1e-2)
    def brax_step(name=name):
        from brax import envs

        environment = envs.get_environment(
            name, **({} if name == "fast" else {"backend": "spring" if name == "ant" else "positional"})
        )
        state = jax.jit(environment.reset)(jax.random.PRNGKey(0))
        return leaves(lambda a: (lambda s: (s.obs, s.reward, s.done))(environment.step(state, a)))


@model("brax_losses", f32(5, 2, 6), f32(5, 2), f32(5, 2), rtol=2e-3, atol=1e-3)
def brax_gae():
    from brax.training import distribution
    from brax.training.agents.ppo import losses

    head = distribution.NormalTanhDistribution(event_size=3)
    return leaves(
        lambda x, r, v: (
            losses.compute_gae(jnp.zeros((5, 2)), jnp.full((5, 2), 0.9), r, v, v[-1]),
            head.log_prob(x, jnp.tanh(x[..., :3])),
            head.mode(x),
            head.entropy(x, jax.random.key(0)),
        )
    )


@model("kfac_curvature", f32(8, 4), f32(8, 3), rtol=5e-3, atol=2e-3)
def curvature():
    w = jnp.asarray(rng.normal(size=(4, 3)).astype("f4"))

    def run(x, y):
        loss = lambda w: jnp.mean((jnp.tanh(x @ w) - y) ** 2)
        hvp = lambda v: jax.jvp(jax.grad(loss), (w,), (v,))[1]
        _, push = jax.vjp(lambda w: jnp.tanh(x @ w), w)
        a, g = x.T @ x / 8 + 0.1 * jnp.eye(4), y.T @ y / 8 + 0.1 * jnp.eye(3)
        gradient = jax.grad(loss)(w)
        return (
            hvp(gradient),
            push(y),
            jnp.linalg.solve(a, gradient) @ jnp.linalg.inv(g),
            jax.scipy.sparse.linalg.cg(lambda v: hvp(v) + v, gradient, maxiter=5)[0],
        )

    return leaves(run)


@model("flaxmodels_resnet", f32("B", 64, 64, 3), rtol=5e-3, atol=2e-3)
def flaxmodels_resnet():
    import flaxmodels

    return linen(
        flaxmodels.ResNet18(output="logits", pretrained=None, num_classes=5, normalize=False),
        np.zeros((1, 64, 64, 3), "f4"),
        train=False,
    )


@model("state_space", f32("B", 12, 3), rtol=2e-3, atol=1e-3)
def s5():
    """S5: complex diagonal systems by an associative scan."""
    n = 4
    eigen = jnp.asarray(-0.5 + 1j * np.pi * np.arange(n), "complex64")
    b, c = (jnp.asarray(rng.normal(size=s) + 1j * rng.normal(size=s), "complex64") for s in ((n, 3), (3, n)))
    step = jnp.exp(jnp.asarray(rng.normal(size=n), "f4") * 0.1 - 3)

    def run(u):
        discrete = jnp.exp(eigen * step)
        inputs = jax.vmap(lambda x: ((discrete - 1) / eigen)[:, None] * b @ x)(u)
        _, states = jax.lax.associative_scan(
            lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1]), (jnp.broadcast_to(discrete, inputs.shape), inputs)
        )
        return jax.nn.gelu((states @ c.T).real * 2)

    return leaves(jax.vmap(run))


@model("mamba_block", f32("B", 9, 8), rtol=2e-3, atol=1e-3)
def mamba():
    d, n = 16, 4
    w = {
        k: jnp.asarray(rng.normal(size=s).astype("f4") * 0.3)
        for k, s in dict(up=(8, 2 * d), conv=(4, 1, d), bcd=(d, 2 * n + 1), dt=(1, d), out=(d, 8), d=(d,)).items()
    }
    a = -jnp.exp(jnp.tile(jnp.log(jnp.arange(1.0, n + 1)), (d, 1)))

    def run(x):
        u, gate = jnp.split(x @ w["up"], 2, -1)
        u = jax.lax.conv_general_dilated(
            u, w["conv"], (1,), [(3, 0)], dimension_numbers=("NWC", "WIO", "NWC"), feature_group_count=d
        )
        u = jax.nn.silu(u)
        b, c, dt = jnp.split(u @ w["bcd"], [n, 2 * n], -1)
        dt = jax.nn.softplus(dt @ w["dt"])
        decay = jnp.exp(dt[..., None] * a)
        drive = (dt * u)[..., None] * b[:, :, None]

        def one(h, t):
            h = t[0] * h + t[1]
            return h, (h * t[2][:, None]).sum(-1)

        _, y = jax.lax.scan(
            one, jnp.zeros((x.shape[0], d, n)), jax.tree.map(lambda v: v.swapaxes(0, 1), (decay, drive, c))
        )
        return ((y.swapaxes(0, 1) + u * w["d"]) * jax.nn.silu(gate)) @ w["out"]

    return leaves(run)


@model("rwkv_time_mixing", f32("B", 7, 8), rtol=2e-3, atol=1e-3)
def rwkv():
    w = [jnp.asarray(rng.normal(size=(8, 8)).astype("f4") * 0.3) for _ in range(4)]
    decay, first, mix = (jnp.asarray(rng.uniform(0, 1, 8).astype("f4")) for _ in range(3))

    def run(x):
        shifted = jnp.pad(x, ((0, 0), (1, 0), (0, 0)))[:, :-1]
        z = x * mix + shifted * (1 - mix)
        r, k, v = jax.nn.sigmoid(z @ w[0]), z @ w[1], z @ w[2]

        def one(carry, t):
            a, b, p = carry
            k, v = t
            q = jnp.maximum(p, first + k)
            e, f = jnp.exp(p - q), jnp.exp(first + k - q)
            out = (e * a + f * v) / (e * b + f)
            q = jnp.maximum(p - decay, k)
            e, f = jnp.exp(p - decay - q), jnp.exp(k - q)
            return (e * a + f * v, e * b + f, q), out

        zero = jnp.zeros((x.shape[0], 8))
        _, y = jax.lax.scan(one, (zero, zero, zero - 1e38), (k.swapaxes(0, 1), v.swapaxes(0, 1)))
        return (r * y.swapaxes(0, 1)) @ w[3]

    return leaves(run)


@model("neural_radiance_field", f32("B", 3), f32("B", 3), rtol=2e-3, atol=1e-3)
def nerf():
    w = [jnp.asarray(rng.normal(size=s).astype("f4") * 0.3) for s in ((39, 16), (16, 4))]

    def run(origin, direction):
        t = jnp.linspace(0.5, 3, 8)
        points = origin[:, None] + direction[:, None] * t[:, None]
        angles = points[..., None, :] * 2.0 ** jnp.arange(6)[:, None]
        features = jnp.concatenate(
            [points, jnp.sin(angles).reshape(*points.shape[:2], -1), jnp.cos(angles).reshape(*points.shape[:2], -1)], -1
        )
        out = jax.nn.relu(features @ w[0]) @ w[1]
        alpha = 1 - jnp.exp(-jax.nn.softplus(out[..., 3]) * 0.3)
        weights = alpha * jnp.concatenate([jnp.ones_like(alpha[:, :1]), jnp.cumprod(1 - alpha + 1e-10, -1)[:, :-1]], -1)
        return (
            (weights[..., None] * jax.nn.sigmoid(out[..., :3])).sum(1),
            (weights * t).sum(-1),
            jnp.searchsorted(jnp.linspace(0, 1, 5), weights.sum(-1)),
        )

    return leaves(run)


@model("speculative_sampling", f32(3, 6), f32(4, 6), key(4))
def speculative():
    def run(draft, target, k):
        q, p = jax.nn.softmax(draft), jax.nn.softmax(target)
        tokens = jax.random.categorical(k, draft)
        accept = jax.random.uniform(k, (3,)) < jnp.minimum(1, p[jnp.arange(3), tokens] / q[jnp.arange(3), tokens])
        n = jnp.cumprod(accept.astype(jnp.int32)).sum()
        rest = jnp.maximum(p[jnp.minimum(n, 3)] - q[jnp.minimum(n, 2)], 0)
        return (
            jnp.where(jnp.arange(3) < n, tokens, -1),
            jax.random.categorical(k, jnp.log(rest + 1e-9)),
            jnp.argsort(-target)[:, :3],
            jax.lax.top_k(target, 2),
        )

    return leaves(run)


@model("audio_features", f32("B", 256), rtol=5e-3, atol=2e-3)
def audio():
    window = jnp.hanning(64)
    bank = jnp.asarray(np.abs(rng.normal(size=(33, 8))).astype("f4"))

    def run(x):
        frames = x[:, jnp.arange(0, 193, 16)[:, None] + jnp.arange(64)] * window
        power = jnp.abs(jnp.fft.rfft(frames)) ** 2
        mel = jnp.log(power @ bank + 1e-6)
        cepstrum = jax.scipy.fft.dct(mel, norm="ortho")
        return (
            mel,
            cepstrum,
            jnp.diff(cepstrum, axis=1),
            (mel - mel.mean(1, keepdims=True)) / (mel.std(1, keepdims=True) + 1e-5),
        )

    return leaves(run)


@model("detection_heads", f32(6, 4).between(0, 1), f32(6).between(0, 1))
def detection():
    def run(boxes, scores):
        low, high = jnp.minimum(boxes[:, :2], boxes[:, 2:]), jnp.maximum(boxes[:, :2], boxes[:, 2:])
        area = (high - low).prod(-1)
        inside = jnp.clip(jnp.minimum(high[:, None], high) - jnp.maximum(low[:, None], low), 0).prod(-1)
        overlap = inside / (area[:, None] + area - inside + 1e-9)
        order = jnp.argsort(-scores)

        def suppress(i, keep):
            mine = order[i]
            return jnp.where(keep[mine], keep & ~((overlap[mine] > 0.5) & (scores < scores[mine])), keep)

        keep = jax.lax.fori_loop(0, 6, suppress, jnp.ones(6, bool))
        return keep, jnp.where(keep, scores, 0), order

    return leaves(run)
