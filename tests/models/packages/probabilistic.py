# SPDX-License-Identifier: Apache-2.0
"""Distrax, NumPyro, FlowJAX, BlackJAX, Dynamax, tinygp."""

import jax
import jax.numpy as jnp
import jax.scipy as jsp

from table import f32, key
from zoo import leaves, model


@model("distrax_distributions", f32("B", 3), key(1))
def distrax_distributions():
    import distrax as dx

    def run(x, k):
        normal, softmax = dx.MultivariateNormalDiag(jnp.zeros(3), jnp.ones(3) * 2), dx.Categorical(logits=x)
        return (
            normal.log_prob(x),
            softmax.entropy(),
            softmax.mode(),
            dx.Gamma(2.0, 1.0).log_prob(jnp.abs(x)),
            dx.Beta(1.5, 2.0).log_prob(jax.nn.sigmoid(x)),
            dx.Laplace(0, 1).sample(seed=k, sample_shape=4),
            dx.Bernoulli(logits=x).log_prob(1),
            dx.Gumbel(0, 1).cdf(x),
            normal.kl_divergence(dx.MultivariateNormalDiag(jnp.ones(3), jnp.ones(3))),
        )

    return leaves(run)


@model("distrax_flow", f32("B", 4))
def distrax_flow():
    import distrax as dx

    bijector = dx.Chain(
        [
            dx.Block(dx.ScalarAffine(0.5, 1.5), 1),
            dx.Block(dx.Tanh(), 1),
            dx.MaskedCoupling(
                jnp.arange(4) % 2 == 0,
                lambda h: jnp.stack([h, h * 0.3], -1),
                lambda p: dx.ScalarAffine(p[..., 0], jnp.exp(p[..., 1] * 0.1)),
            ),
        ]
    )
    return leaves(lambda x: bijector.forward_and_log_det(x))


@model("distrax_spline", f32("B", 2))
def distrax_spline():
    import distrax as dx

    spline = dx.RationalQuadraticSpline(jnp.linspace(-1, 1, 13), -3.0, 3.0)
    return leaves(lambda x: spline.forward_and_log_det(x) + spline.inverse_and_log_det(x))


@model("distrax_hmm", f32(6))
def distrax_hmm():
    import distrax as dx

    hmm = dx.HMM(
        dx.Categorical(probs=jnp.array([0.4, 0.6])),
        dx.Categorical(probs=jnp.array([[0.8, 0.2], [0.3, 0.7]])),
        dx.Normal(jnp.array([-1.0, 1.0]), jnp.ones(2)),
    )
    return leaves(lambda x: (hmm.forward_backward(x), hmm.viterbi(x)))


@model("numpyro_log_density", f32(2), f32(8, 3))
def numpyro_density():
    import numpyro
    import numpyro.distributions as dist
    from numpyro.infer.util import log_density

    def regression(x, y=None):
        w = numpyro.sample("w", dist.Normal(0, 1).expand([3]).to_event(1))
        s = numpyro.sample("s", dist.HalfCauchy(1.0))
        numpyro.sample("y", dist.StudentT(3.0, x @ w, s), obs=x.sum(-1))

    return leaves(
        lambda p, x: log_density(regression, (x,), {}, {"w": jnp.concatenate([p, p[:1]]), "s": jnp.exp(p[0])})[0]
    )


@model("numpyro_distributions", f32("B", 3).between(0.1, 0.9), key(2))
def numpyro_distributions():
    import numpyro.distributions as dist

    def run(x, k):
        laws = [
            dist.Normal(0, 1),
            dist.Gamma(2.0, 1.0),
            dist.Beta(1.5, 2.0),
            dist.LogNormal(0, 1),
            dist.Weibull(1.0, 2.0),
            dist.InverseGamma(2.0, 1.0),
            dist.VonMises(0.0, 2.0),
            dist.Kumaraswamy(2.0, 1.0),
            dist.Pareto(0.05, 2.0),
            dist.HalfNormal(1.0),
            dist.TruncatedNormal(0, 1, low=0.0),
            dist.Logistic(0, 1),
            dist.SoftLaplace(0, 1),
        ]
        return [law.log_prob(x) for law in laws] + [
            dist.Dirichlet(jnp.ones(3)).log_prob(x / x.sum(-1, keepdims=True)),
            dist.NegativeBinomial2(3.0, 2.0).log_prob(jnp.round(x * 5)),
            dist.Normal(0, 1).sample(k, (4,)),
            dist.Cauchy(0, 1).icdf(x),
            dist.MultivariateNormal(jnp.zeros(3), jnp.eye(3) * 2).log_prob(x),
            dist.LKJCholesky(3).log_prob(jnp.eye(3)),
            dist.OrderedLogistic(x[:, 0], jnp.array([0.2, 0.5])).log_prob(1),
        ]

    return leaves(run)


@model("numpyro_svi_step", f32(8, 2), key(3))
def numpyro_svi():
    import numpyro
    import numpyro.distributions as dist
    from numpyro.infer import SVI, Trace_ELBO, autoguide

    def net(x):
        w = numpyro.sample("w", dist.Normal(0, 1).expand([2]).to_event(1))
        numpyro.sample("y", dist.Normal(x @ w, 1.0), obs=x[:, 0])

    svi = SVI(net, autoguide.AutoNormal(net), numpyro.optim.Adam(0.01), Trace_ELBO())

    def step(x, k):
        state = svi.init(k, x)
        return svi.update(state, x)[1]

    return leaves(step)


@model("numpyro_gaussian_process", f32(6), f32(6))
def numpyro_gp():
    def run(x, y):
        k = jnp.exp(-0.5 * (x[:, None] - x) ** 2) + 0.1 * jnp.eye(6)
        c = jnp.linalg.cholesky(k)
        a = jsp.linalg.cho_solve((c, True), y)
        return a, -0.5 * y @ a - jnp.log(jnp.diag(c)).sum()

    return leaves(run)


@model("numpyro_nuts_transition", f32(2), key(4), rtol=1e-2, atol=1e-2)
def numpyro_nuts():
    from numpyro.infer.hmc import hmc

    init, sample = hmc(lambda z: 0.5 * jnp.sum(z["x"] ** 2), algo="NUTS")

    def run(x, k):
        state = init(
            {"x": x}, num_warmup=0, step_size=0.5, adapt_step_size=False, rng_key=k, inverse_mass_matrix=jnp.ones(2)
        )
        return sample(state).z

    return leaves(run)


@model("flowjax_masked_autoregressive", f32("B", 3))
def flowjax_maf():
    import flowjax.distributions as fd
    import flowjax.flows as ff
    import paramax

    flow = paramax.unwrap(
        ff.masked_autoregressive_flow(jax.random.key(0), base_dist=fd.Normal(jnp.zeros(3)), flow_layers=2, nn_width=8)
    )
    return leaves(lambda x: flow.log_prob(x))


@model("flowjax_coupling_spline", f32("B", 4))
def flowjax_coupling():
    import flowjax.bijections as fb
    import flowjax.distributions as fd
    import flowjax.flows as ff

    flow = ff.coupling_flow(
        jax.random.key(0),
        base_dist=fd.Normal(jnp.zeros(4)),
        transformer=fb.RationalQuadraticSpline(knots=5, interval=3),
        flow_layers=2,
        nn_width=8,
    )
    return leaves(lambda x: flow.log_prob(x))


@model("flowjax_sample", key(5))
def flowjax_sample():
    import flowjax.distributions as fd
    import flowjax.flows as ff

    flow = ff.planar_flow(jax.random.key(0), base_dist=fd.StudentT(df=5 * jnp.ones(3)), flow_layers=2, invert=False)
    return leaves(lambda k: flow.sample(k, (4,)))


blackjax_kernels = {
    "hmc": dict(step_size=0.1, inverse_mass_matrix=[1.0, 1.0], num_integration_steps=3),
    "nuts": dict(step_size=0.3, inverse_mass_matrix=[1.0, 1.0]),
    "mala": dict(step_size=0.1),
}
for name, options in blackjax_kernels.items():

    @model(f"blackjax_{name}", f32(2), key(6), rtol=1e-2, atol=1e-2)
    def blackjax_kernel(name=name, options=options):
        import blackjax

        kernel = getattr(blackjax, name)(
            lambda x: -0.5 * jnp.sum(x**2),
            **{k: jnp.array(v) if isinstance(v, list) else v for k, v in options.items()},
        )
        return leaves(lambda x, k: kernel.step(k, kernel.init(x))[0])


@model("blackjax_random_walk", f32(2), key(6))
def blackjax_walk():
    import blackjax

    kernel = blackjax.rmh(lambda x: -0.5 * jnp.sum(x**2), lambda k, x: x + 0.3 * jax.random.normal(k, x.shape))

    def chain(x, k):
        def one(state, k):
            state, _ = kernel.step(k, state)
            return state, state.position

        return jax.lax.scan(one, kernel.init(x), jax.random.split(k, 5))[1]

    return leaves(chain)


@model("dynamax_lgssm", f32(6, 2), rtol=5e-3, atol=1e-3)
def dynamax_lgssm():
    from dynamax.linear_gaussian_ssm import LinearGaussianSSM

    ssm = LinearGaussianSSM(3, 2)
    params, _ = ssm.initialize(jax.random.key(0))
    return leaves(lambda y: (ssm.filter(params, y), ssm.smoother(params, y)))


@model("dynamax_gaussian_hmm", f32(6, 2), rtol=5e-3, atol=1e-3)
def dynamax_hmm():
    from dynamax.hidden_markov_model import GaussianHMM

    hmm = GaussianHMM(3, 2)
    params, _ = hmm.initialize(jax.random.key(0))
    return leaves(
        lambda y: (hmm.filter(params, y), hmm.smoother(params, y).smoothed_probs, hmm.most_likely_states(params, y))
    )


@model("dynamax_extended_kalman", f32(5, 1), rtol=5e-3, atol=1e-3)
def dynamax_ekf():
    from dynamax.nonlinear_gaussian_ssm import ParamsNLGSSM, extended_kalman_filter

    params = ParamsNLGSSM(
        jnp.zeros(2),
        jnp.eye(2),
        lambda z: jnp.array([z[0] + 0.1 * z[1], z[1] - 0.1 * jnp.sin(z[0])]),
        jnp.eye(2) * 0.1,
        lambda z: jnp.sin(z[:1]),
        jnp.eye(1) * 0.3,
    )
    return leaves(lambda y: extended_kalman_filter(params, y))


@model("tinygp_quasisep", f32(8).between(0, 1), rtol=5e-3, atol=1e-3)
def tinygp_quasisep():
    import tinygp

    x = jnp.linspace(0, 3, 8)
    return leaves(
        lambda y: tinygp.GaussianProcess(tinygp.kernels.quasisep.Matern32(1.0), x, diag=0.1).log_probability(y)
    )


@model("tinygp_condition", f32(6), f32(6), f32(4), rtol=5e-3, atol=1e-3)
def tinygp_condition():
    import tinygp

    def run(x, y, t):
        gp = tinygp.GaussianProcess(1.5 * tinygp.kernels.ExpSquared(0.8) + tinygp.kernels.Matern52(2.0), x, diag=0.1)
        condition = gp.condition(y, t)
        return condition.log_probability, condition.gp.mean, condition.gp.variance

    return leaves(run)
