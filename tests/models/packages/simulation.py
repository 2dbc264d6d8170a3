# SPDX-License-Identifier: Apache-2.0
"""Interpolation, Krylov spaces, quantum states, neurons, replay buffers, games."""

import jax
import jax.numpy as jnp

from table import f32, key
from zoo import leaves, model


@model("interpax_cubic", f32(7), f32(9))
def interpax_cubic():
    import interpax

    grid = jnp.linspace(-2.0, 2.0, 9)
    return leaves(lambda x, y: interpax.interp1d(x, grid, y, method="cubic", extrap=True))


@model("interpax_akima", f32(7), f32(9))
def interpax_akima():
    import interpax

    grid = jnp.linspace(-2.0, 2.0, 9)
    return leaves(lambda x, y: interpax.interp1d(x, grid, y, method="akima"))


@model("interpax_monotonic_2d", f32(7), f32(7), f32(6, 5))
def interpax_2d():
    import interpax

    gx, gy = jnp.linspace(-2.0, 2.0, 6), jnp.linspace(-2.0, 2.0, 5)
    return leaves(lambda x, y, f: interpax.interp2d(x, y, gx, gy, f, method="cubic2", extrap=True))


@model("interpax_3d", f32(4), f32(4), f32(4), f32(4, 5, 6))
def interpax_3d():
    import interpax

    g = [jnp.linspace(-2.0, 2.0, n) for n in (4, 5, 6)]
    return leaves(lambda x, y, z, f: interpax.interp3d(x, y, z, *g, f, method="linear", extrap=0.0))


@model("interpax_spline", f32(7), f32(9))
def interpax_spline():
    import interpax

    grid = jnp.linspace(-2.0, 2.0, 9)
    return leaves(lambda x, y: interpax.CubicSpline(grid, y, check=False)(x))


@model("interpax_pchip", f32(7), f32(9))
def interpax_pchip():
    import interpax

    grid = jnp.linspace(-2.0, 2.0, 9)
    return leaves(lambda x, y: interpax.PchipInterpolator(grid, y, check=False)(x))


@model("interpax_fft", f32(8))
def interpax_fft():
    import interpax

    return leaves(lambda f: interpax.fft_interp1d(f, 21))


@model("matfree_lanczos", f32(6, 6), f32(6))
def matfree_lanczos():
    from matfree import decomp

    def run(a, v):
        s = a + a.T
        t = decomp.tridiag_sym(4, reortho="full")
        return t(lambda x: s @ x, v)

    return leaves(run)


@model("dynamiqs_coherent", f32(2))
def dynamiqs_fidelity():
    import dynamiqs as dq

    def run(w):
        psi = dq.coherent(8, w[0] + 1j * w[1])
        return dq.fidelity(psi, dq.fock(8, 1)), dq.expect(dq.number(8), psi)

    return leaves(run)


@model("jaxley_neuron", f32(40))
def jaxley_neuron():
    import jaxley as jx
    from jaxley.channels import HH

    comp = jx.Compartment()
    branch = jx.Branch(comp, 2)
    cell = jx.Cell(branch, parents=[-1, 0, 0])
    cell.insert(HH())
    cell.branch(0).loc(0.0).record()

    def run(i):
        stimuli = cell.branch(1).loc(1.0).data_stimulate(i * 0.1)
        return jx.integrate(cell, data_stimuli=stimuli, delta_t=0.025)

    return leaves(run)


def jumanji_step(name, action, **options):
    def build():
        import jumanji

        env = jumanji.make(name)

        def run(k):
            state, first = env.reset(k)
            state, second = env.step(state, jnp.asarray(action))
            return first.observation, second.observation, second.reward

        return leaves(run)

    return model("jumanji_" + name.split("-")[0].lower(), key(), **options)(build)


jumanji_step("Game2048-v1", 1)
jumanji_step("Snake-v1", 1)
jumanji_step("Knapsack-v1", 3)
jumanji_step("TSP-v1", 2)
jumanji_step("Maze-v0", 1)
jumanji_step("Minesweeper-v0", [2, 3])
jumanji_step("SlidingTilePuzzle-v0", 1)
jumanji_step("RubiksCube-v0", [1, 0, 1])
jumanji_step("Tetris-v0", [0, 3])
jumanji_step("BinPack-v2", [0, 1])
jumanji_step("CVRP-v1", 2)
jumanji_step("GraphColoring-v1", 1)
jumanji_step("JobShop-v0", [0] * 10)
jumanji_step("Sudoku-v0", [1, 2, 3])
jumanji_step("PacMan-v1", 1)
jumanji_step("Connector-v3", [1] * 10)
jumanji_step("Cleaner-v0", [1, 1, 1])


@model("flashbax_flat", f32(4, 3), key())
def flashbax_flat():
    import flashbax as fbx

    buffer = fbx.make_flat_buffer(max_length=32, min_length=2, sample_batch_size=4, add_batch_size=4)

    def run(x, k):
        state = buffer.init({"obs": jnp.zeros(3)})
        for i in range(3):
            state = buffer.add(state, {"obs": x + i})
        return buffer.sample(state, k).experience.first, state.current_index

    return leaves(run)


@model("flashbax_prioritised", f32(1, 8, 3), key())
def flashbax_prioritised():
    import flashbax as fbx

    buffer = fbx.make_prioritised_trajectory_buffer(
        add_batch_size=1, sample_batch_size=4, sample_sequence_length=2, period=1, min_length_time_axis=2, max_size=16
    )

    def run(x, k):
        state = buffer.init({"obs": jnp.zeros(3)})
        state = buffer.add(state, {"obs": x})
        s = buffer.sample(state, k)
        state = buffer.set_priorities(state, s.indices, s.probabilities + 0.5)
        return buffer.sample(state, jax.random.fold_in(k, 1)).experience

    return leaves(run)


@model("gymnax_cartpole", key())
def gymnax_cartpole():
    import gymnax

    env, params = gymnax.make("CartPole-v1")

    def run(k):
        obs, state = env.reset(k, params)

        def step(carry, kk):
            obs, state = carry
            obs, state, r, *rest = env.step(kk, state, 1, params)
            return (obs, state), (obs, r, rest[:2])

        return jax.lax.scan(step, (obs, state), jax.random.split(k, 12))[1]

    return leaves(run)


def gymnax_step(name):
    def build():
        import gymnax

        env, params = gymnax.make(name)

        def run(k):
            obs, state = env.reset(k, params)
            a = env.action_space(params).sample(jax.random.fold_in(k, 3))
            obs2, state, r, *rest = env.step(jax.random.fold_in(k, 1), state, a, params)
            return obs, obs2, r, rest[:2]

        return leaves(run)

    return model("gymnax_" + name.split("-")[0].lower(), key())(build)


for _name in """
    Pendulum-v1 Acrobot-v1 MountainCar-v0 Catch-bsuite DeepSea-bsuite Asterix-MinAtar Breakout-MinAtar
    Freeway-MinAtar SpaceInvaders-MinAtar FourRooms-misc Reacher-misc Pong-misc MetaMaze-misc
""".split():
    gymnax_step(_name)


def rax_function(name):
    def build():
        import rax

        return leaves(lambda s, y: getattr(rax, name)(s, jnp.round(jnp.abs(y))))

    return model(f"rax_{name}", f32(3, 6), f32(3, 6))(build)


for _name in """
    softmax_loss listmle_loss pairwise_hinge_loss pairwise_logistic_loss ndcg_metric mrr_metric ap_metric
    precision_metric opa_metric poly1_softmax_loss unique_softmax_loss
""".split():
    rax_function(_name)


@model("quadax_quadgk", f32())
def quadax_quadgk():
    import quadax

    return leaves(lambda w: quadax.quadgk(lambda t: jnp.exp(-w * w * t**2), jnp.array([0.0, 1.0]))[0])


@model("quadax_romberg", f32())
def quadax_romberg():
    import quadax

    return leaves(lambda w: quadax.romberg(lambda t: jnp.exp(-w * w * t**2), jnp.array([0.0, 1.0]), divmax=6)[0])


@model("quadax_tanhsinh", f32())
def quadax_ts():
    import quadax

    return leaves(lambda w: quadax.quadts(lambda t: jnp.exp(-w * w * t**2), jnp.array([0.0, jnp.inf]))[0])


@model("jaxoplanet_transit", f32(12), rtol=2e-3, atol=2e-4)
def jaxoplanet_transit():
    from jaxoplanet.light_curves import limb_dark_light_curve
    from jaxoplanet.orbits import TransitOrbit

    orbit = TransitOrbit(period=3.456, duration=0.12, time_transit=0.0, impact_param=0.1, radius_ratio=0.1)
    return leaves(lambda t: limb_dark_light_curve(orbit, jnp.array([0.1, 0.3]))(t * 0.05))


@model("jaxoplanet_kepler", f32(8), rtol=2e-3, atol=2e-4)
def jaxoplanet_kepler():
    from jaxoplanet.core.kepler import kepler

    return leaves(lambda m: kepler(m, jnp.full(8, 0.3)))


@model("pennylane_circuit", f32(4), rtol=2e-3, atol=2e-4)
def pennylane_circuit():
    import pennylane as qml

    dev = qml.device("default.qubit", wires=3)

    @qml.qnode(dev, interface="jax")
    def circuit(w):
        qml.RX(w[0], wires=0)
        qml.CNOT(wires=[0, 1])
        qml.RY(w[1], wires=1)
        qml.Rot(w[2], w[3], w[0], wires=2)
        qml.Toffoli(wires=[0, 1, 2])
        return qml.expval(qml.PauliZ(0) @ qml.PauliX(2)), qml.probs(wires=[1])

    return leaves(circuit)


@model("exojax_voigt", f32(9), rtol=2e-3)
def exojax_voigt():
    from exojax.opacity.lpf.lpf import voigt

    return leaves(lambda nu: voigt(nu * 3, 0.4, 0.3))
