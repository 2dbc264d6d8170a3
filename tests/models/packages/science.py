# SPDX-License-Identifier: Apache-2.0
"""Graphs, symmetries, molecules, physics, transport, optimisation, evolution, reinforcement learning."""

import jax
import jax.numpy as jnp
import numpy as np

from table import f32, i32, key
from zoo import filled, leaves, model

rng = np.random.default_rng(0)


@model("jraph_graph_network", f32(5, 3), f32(7, 2))
def jraph_network():
    import jraph

    w = rng.normal(size=(16, 4)).astype("f4")
    net = jraph.GraphNetwork(
        lambda e, s, r, g: jnp.tanh(jnp.concatenate([e, s, r], -1) @ w[:8]),
        lambda n, s, r, g: jnp.tanh(jnp.concatenate([n, s, r], -1) @ w[:11]),
        lambda n, e, g: n[:, :1],
    )

    def run(nodes, edges):
        graph = jraph.GraphsTuple(
            nodes=nodes,
            edges=edges,
            senders=jnp.array([0, 1, 2, 3, 4, 0, 2]),
            receivers=jnp.array([1, 2, 0, 4, 3, 3, 4]),
            n_node=jnp.array([3, 2]),
            n_edge=jnp.array([4, 3]),
            globals=jnp.zeros((2, 1)),
        )
        return net(graph)

    return leaves(run)


@model("jraph_attention", f32(5, 3))
def jraph_gat():
    import jraph

    w = rng.normal(size=(3, 4)).astype("f4")
    net = jraph.GAT(lambda n: n @ w, lambda s, r, e: jnp.sum(s * r, -1, keepdims=True), lambda n: jax.nn.elu(n))
    graph = lambda n: jraph.GraphsTuple(
        nodes=n,
        edges=None,
        senders=jnp.array([0, 1, 2, 3]),
        receivers=jnp.array([1, 2, 3, 4]),
        n_node=jnp.array([5]),
        n_edge=jnp.array([4]),
        globals=None,
    )
    return leaves(lambda n: net(graph(n)).nodes)


@model("e3nn_tensor_product", f32("B", 4), f32("B", 4))
def e3nn_product():
    import e3nn_jax as e3nn

    return leaves(
        lambda x, y: e3nn.tensor_product(e3nn.IrrepsArray("1x0e + 1x1o", x), e3nn.IrrepsArray("1x0e + 1x1o", y)).array
    )


@model("e3nn_spherical_harmonics", f32("B", 3))
def e3nn_harmonics():
    import e3nn_jax as e3nn

    return leaves(lambda x: e3nn.spherical_harmonics("0e + 1o + 2e + 3o", x, True).array)


@model("e3nn_linear_gate", f32(3, 8))
def e3nn_linear():
    import e3nn_jax as e3nn

    linear = e3nn.flax.Linear("3x0e + 2x1o")
    inputs = lambda x: e3nn.IrrepsArray("2x0e + 2x1o", x)
    params = filled(jax.eval_shape(lambda x: linear.init(jax.random.key(0), inputs(x)), np.zeros((3, 8), "f4")))
    return leaves(lambda x: e3nn.gate(linear.apply(params, inputs(x))).array)


@model("jax_md_lennard_jones", f32(6, 2).between(0, 4), rtol=1e-3, atol=1e-3)
def md_energy():
    from jax_md import energy, space

    displacement, _ = space.periodic(4.0)
    potential = energy.lennard_jones_pair(displacement)
    return leaves(lambda r: (potential(r), jax.grad(lambda r: jnp.tanh(potential(r) * 1e-6))(r)))


@model("jax_md_soft_sphere_fire", f32(6, 2).between(0, 4), rtol=5e-3, atol=1e-3)
def md_fire():
    from jax_md import energy, minimize, space

    displacement, shift = space.periodic(4.0)
    init, step = minimize.fire_descent(energy.soft_sphere_pair(displacement), shift)

    def run(r):
        return jax.lax.fori_loop(0, 4, lambda i, s: step(s), init(r)).position

    return leaves(run)


@model("jax_md_nose_hoover", f32(4, 2).between(0, 4), key(1), rtol=5e-3, atol=1e-3)
def md_nvt():
    from jax_md import energy, simulate, space

    displacement, shift = space.periodic(4.0)
    init, step = simulate.nvt_nose_hoover(energy.soft_sphere_pair(displacement), shift, 1e-3, 0.5)
    return leaves(lambda r, k: step(init(k, r)).position)


@model("brax_environment_step", f32(1), rtol=5e-3, atol=1e-3)
def brax_step():
    from brax import envs

    env = envs.get_environment("inverted_pendulum", backend="generalized")
    state = jax.jit(env.reset)(jax.random.PRNGKey(0))
    return leaves(lambda a: (lambda s: (s.obs, s.reward))(env.step(state, a)))


@model("brax_policy", f32("B", 6))
def brax_policy():
    from brax.training import networks

    net = networks.make_policy_network(8, 6, hidden_layer_sizes=(16, 16))
    params = filled(jax.eval_shape(net.init, jax.random.key(0)))
    return leaves(lambda x: net.apply(None, params, x))


@model("ott_sinkhorn", f32(5, 2), f32(6, 2), rtol=5e-3, atol=1e-3)
def ott_sinkhorn():
    from ott.geometry import pointcloud
    from ott.problems.linear import linear_problem
    from ott.solvers.linear import sinkhorn

    solver = sinkhorn.Sinkhorn(max_iterations=20, threshold=1e-3)
    return leaves(
        lambda x, y: (lambda out: (out.matrix, out.reg_ot_cost))(
            solver(linear_problem.LinearProblem(pointcloud.PointCloud(x, y, epsilon=0.5)))
        )
    )


@model("ott_soft_sort", f32(7), rtol=5e-3, atol=1e-3)
def ott_sort():
    from ott.tools import soft_sort

    return leaves(lambda x: soft_sort.sort(x, epsilon=0.1, max_iterations=20))


jaxopt_solvers = {
    "gradient_descent": dict(maxiter=5, stepsize=0.1),
    "lbfgs": dict(maxiter=4),
    "nonlinear_cg": dict(maxiter=4),
    "bfgs": dict(maxiter=4),
}
for name, options in jaxopt_solvers.items():

    @model(f"jaxopt_{name}", f32(3), f32(8, 3), rtol=1e-2, atol=1e-2)
    def jaxopt_solver(name=name, options=options):
        import jaxopt

        kind = {"gradient_descent": "GradientDescent", "lbfgs": "LBFGS", "nonlinear_cg": "NonlinearCG", "bfgs": "BFGS"}[
            name
        ]
        return leaves(
            lambda w, x: (
                getattr(jaxopt, kind)(
                    lambda w, x: jnp.mean((x @ w - 1) ** 2) + 0.1 * jnp.sum(w**2), jit=True, unroll=False, **options
                )
                .run(w, x)
                .params
            )
        )


@model("jaxopt_projected_lasso", f32(3), f32(8, 3), rtol=1e-2, atol=1e-2)
def jaxopt_proximal():
    import jaxopt
    from jaxopt.prox import prox_lasso

    return leaves(
        lambda w, x: (
            jaxopt.ProximalGradient(lambda w, x: jnp.mean((x @ w - 1) ** 2), prox_lasso, maxiter=5, stepsize=0.05)
            .run(w, 0.1, x)
            .params
        )
    )


@model("evosax_strategies", key(2), rtol=1e-2, atol=1e-2)
def evosax_es():
    from evosax.algorithms import CMA_ES, Open_ES

    def run(k):
        out = []
        for kind in (Open_ES, CMA_ES):
            strategy = kind(population_size=6, solution=jnp.zeros(3))
            params = strategy.default_params
            state = strategy.init(k, jnp.zeros(3), params)
            population, state = strategy.ask(k, state, params)
            state, _ = strategy.tell(k, population, (population**2).sum(-1), state, params)
            out.append(state.mean)
        return out

    return leaves(run)


@model("rlax_losses", f32(5, 3), f32(5), i32(5).between(0, 2))
def rlax_losses():
    import rlax

    def run(q, r, a):
        d = jnp.full(5, 0.9)
        return (
            jax.vmap(rlax.q_learning)(q, a, r, d, q),
            rlax.lambda_returns(r, d, r, 0.9),
            rlax.vtrace(r, r, r, d, jnp.exp(r * 0.1)),
            rlax.policy_gradient_loss(q, a, r, jnp.ones(5)),
            rlax.clipped_surrogate_pg_loss(jnp.exp(r * 0.1), r, 0.2),
            jax.vmap(lambda x: rlax.signed_hyperbolic(x))(r),
            rlax.truncated_generalized_advantage_estimation(r, d, 0.9, jnp.ones(6)),
            rlax.categorical_l2_project(jnp.linspace(-1, 1, 3), jax.nn.softmax(q[0]), jnp.linspace(-1, 1, 3)),
        )

    return leaves(run)


@model("mctx_gumbel_muzero", f32(2, 4), key(3), rtol=5e-3, atol=1e-3)
def mctx_search():
    import mctx

    w = jnp.asarray(rng.normal(size=(4, 3)).astype("f4"))

    def recurrent(params, k, action, embedding):
        embedding = jnp.tanh(embedding + 0.1 * action[:, None])
        return mctx.RecurrentFnOutput(
            reward=embedding[:, 0], discount=jnp.full(2, 0.9), prior_logits=embedding @ w, value=embedding[:, 1]
        ), embedding

    def run(x, k):
        root = mctx.RootFnOutput(prior_logits=x @ w, value=x[:, 0], embedding=x)
        out = mctx.gumbel_muzero_policy(None, k, root, recurrent, num_simulations=4, max_depth=3)
        return out.action, out.action_weights

    return leaves(run)


@model("mctx_muzero", f32(2, 4), key(3), rtol=5e-3, atol=1e-3)
def mctx_muzero():
    import mctx

    w = jnp.asarray(rng.normal(size=(4, 3)).astype("f4"))

    def recurrent(params, k, action, embedding):
        embedding = jnp.tanh(embedding + 0.1 * action[:, None])
        return mctx.RecurrentFnOutput(
            reward=embedding[:, 0], discount=jnp.full(2, 0.9), prior_logits=embedding @ w, value=embedding[:, 1]
        ), embedding

    def run(x, k):
        root = mctx.RootFnOutput(prior_logits=x @ w, value=x[:, 0], embedding=x)
        return mctx.muzero_policy(
            None, k, root, recurrent, num_simulations=4, max_depth=3, dirichlet_fraction=0.0
        ).action_weights

    return leaves(run)


@model("penzai_transformer", i32("B", 5).between(0, 30))
def penzai_transformer():
    from penzai import pz
    from penzai.models.transformer.variants import llamalike_common

    config = llamalike_common.LlamalikeTransformerConfig(
        num_kv_heads=1,
        query_head_multiplier=2,
        embedding_dim=8,
        projection_dim=4,
        mlp_hidden_dim=16,
        num_decoder_blocks=2,
        vocab_size=32,
        mlp_variant="swiglu",
        rope_wavelength=10000,
        tie_embedder_and_logits=False,
        attention_type=llamalike_common.AttentionTypeGlobalCausal(),
        rms_norm_eps=1e-6,
        parameter_dtype=jnp.float32,
        activation_dtype=jnp.float32,
    )
    net = llamalike_common.build_llamalike_transformer(config, init_base_rng=jax.random.key(0), name="net")

    def run(tokens):
        wrapped = pz.nx.wrap(tokens).tag("batch", "seq")
        return net(wrapped, token_positions=pz.nx.arange("seq", tokens.shape[1])).unwrap("batch", "seq", "vocabulary")

    return leaves(run)


@model("cosmo_power_spectrum", f32(4).between(0.01, 1), rtol=5e-3, atol=1e-2)
def cosmo():
    import jax_cosmo

    return leaves(lambda k: jax_cosmo.power.linear_matter_power(jax_cosmo.Planck15(), k))


@model("coordax_and_quax", f32(3, 4))
def quax():
    import quax
    import quax.examples.lora as lora

    w = lora.LoraArray(jnp.ones((4, 5)), rank=2, key=jax.random.key(0), stop_gradient=False)
    return leaves(lambda x: quax.quaxify(lambda x, w: x @ w)(x, w))


@model("haliax_attention", f32(4, 8))
def haliax():
    import haliax as hax

    position, embed = hax.Axis("position", 4), hax.Axis("embed", 8)

    def run(x):
        x = hax.named(x, (position, embed))
        y = hax.nn.softmax(hax.dot(x, x.rename({"position": "key"}), axis=embed), "key")
        return hax.dot(y, x.rename({"position": "key"}), axis="key").array

    return leaves(run)


@model("mjx_forward", f32(1), rtol=1e-2, atol=1e-2)
def mjx_step():
    import mujoco
    from mujoco import mjx

    net = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><body><joint type='hinge' axis='0 1 0'/>"
        "<geom type='capsule' size='.05' fromto='0 0 0 0 0 .5'/></body></worldbody></mujoco>"
    )
    system = mjx.put_model(net)
    data = mjx.make_data(net)
    return leaves(lambda q: mjx.forward(system, data.replace(qpos=q)).qacc)
