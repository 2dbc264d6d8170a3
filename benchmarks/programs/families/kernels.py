# SPDX-License-Identifier: Apache-2.0
"""Small programs of single kernels: products, gathers, samplings, segments, small linear algebra."""

import jax
import jax.numpy as jnp
import jax.scipy.ndimage as ndimage
import numpy as np

from . import Programs, integers, normal, uniform

PROGRAMS = Programs()


@PROGRAMS.add(normal(32, 64, 256), normal(256))
def scores_by_vector(x, w):
    """Additive attention's last product."""
    return jax.nn.softmax(jnp.tanh(x) @ w, axis=-1)


@PROGRAMS.add(normal(64, 200, 3))
def triangle_areas(x):
    """Cross products of edges, by components."""
    a, b = x[:, 1:-1] - x[:, :-2], x[:, 2:] - x[:, 1:-1]
    return 0.5 * jnp.linalg.norm(jnp.cross(a, b), axis=-1)


@PROGRAMS.add(normal(512, 4), normal(512, 3))
def rotate_by_quaternions(q, v):
    q = q / jnp.linalg.norm(q, axis=-1, keepdims=True)
    w, x, y, z = q[:, 0], q[:, 1], q[:, 2], q[:, 3]
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    matrix = jnp.stack([jnp.stack(row, -1) for row in rows], -2)
    return jnp.einsum("nij,nj->ni", matrix, v)


@PROGRAMS.add(normal(256, 16), normal(256, 16))
def batched_outer(a, b):
    return jnp.einsum("ni,nj->nij", a, b)


@PROGRAMS.add(normal(64, 64, 1), normal(64, 64, 8), normal(8))
def trailing_one(distance, features, weight):
    return jnp.where(distance > 0, features * distance + weight, 0).sum(1)


@PROGRAMS.add(normal(16, 16, 64, 64))
def alternating_broadcast(x):
    gain, bias = jnp.arange(16.0)[:, None, None], jnp.linspace(0, 1, 16)[:, None, None, None]
    return x * gain + bias * x.mean((1, 3), keepdims=True)


@PROGRAMS.add(normal(128, 128, 3), uniform(1000, 2, low=0, high=127))
def bilinear_points(image, points):
    low = jnp.floor(points).astype(int)
    t = points - low
    (y, x), (ty, tx) = low.T, (t[:, :1], t[:, 1:])
    y1, x1 = jnp.minimum(y + 1, 127), jnp.minimum(x + 1, 127)
    top = image[y, x] * (1 - tx) + image[y, x1] * tx
    bottom = image[y1, x] * (1 - tx) + image[y1, x1] * tx
    return top * (1 - ty) + bottom * ty


@PROGRAMS.add(normal(64, 64), uniform(2, 48, 48, low=0, high=63))
def map_coordinates(image, grid):
    return ndimage.map_coordinates(image, list(grid), order=1, mode="nearest")


@PROGRAMS.add(normal(16, 16, 16, 4), uniform(500, 3, low=0, high=15))
def trilinear_grid(grid, points):
    low = jnp.clip(jnp.floor(points).astype(int), 0, 14)
    t = points - low
    result = 0
    for corner in np.ndindex(2, 2, 2):
        index = low + jnp.array(corner)
        weight = jnp.prod(jnp.where(jnp.array(corner) == 1, t, 1 - t), -1)
        result = result + weight[:, None] * grid[index[:, 0], index[:, 1], index[:, 2]]
    return result


@PROGRAMS.add(normal(2000, 8), integers(32, 2000))
def segment_mean(x, segments):
    total = jax.ops.segment_sum(x, segments, 32)
    return total / jnp.maximum(jax.ops.segment_sum(jnp.ones(2000), segments, 32), 1)[:, None]


@PROGRAMS.add(integers(64, 4000))
def histogram(x):
    return jnp.bincount(x, length=64)


@PROGRAMS.add(normal(100, 16), integers(100, 400), integers(100, 400), normal(16, 16))
def graph_convolution(x, source, target, w):
    messages = (x @ w)[source]
    degree = jnp.zeros(100).at[target].add(1.0)
    return jax.nn.relu(jnp.zeros((100, 16)).at[target].add(messages) / jnp.maximum(degree, 1)[:, None])


@PROGRAMS.add(normal(50, 8), integers(50, 300), integers(50, 300))
def graph_attention(h, source, target):
    scores = jax.nn.leaky_relu((h[source] * h[target]).sum(-1), 0.2)
    top = jax.ops.segment_max(scores, target, 50)
    weights = jnp.exp(scores - top[target])
    total = jax.ops.segment_sum(weights, target, 50)
    return jax.ops.segment_sum((weights / total[target])[:, None] * h[source], target, 50)


@PROGRAMS.add(normal(64, 3, 3), normal(64, 3))
def batched_solve(a, b):
    return jnp.linalg.solve(a @ a.transpose(0, 2, 1) + jnp.eye(3), b[..., None])[..., 0]


@PROGRAMS.add(normal(32, 3, 3))
def structure_tensor_eigenvalues(a):
    return jnp.linalg.eigvalsh(a @ a.transpose(0, 2, 1))


@PROGRAMS.add(normal(100, 2, 2))
def inverse_2x2(a):
    det = a[:, 0, 0] * a[:, 1, 1] - a[:, 0, 1] * a[:, 1, 0]
    swapped = jnp.stack([jnp.stack([a[:, 1, 1], -a[:, 0, 1]], -1), jnp.stack([-a[:, 1, 0], a[:, 0, 0]], -1)], -2)
    return swapped / det[:, None, None]


@PROGRAMS.add(normal(16, 6, 6), normal(16, 6))
def gaussian_log_density(a, x):
    cov = a @ a.transpose(0, 2, 1) + 6 * jnp.eye(6)
    factor = jnp.linalg.cholesky(cov)
    z = jax.scipy.linalg.solve_triangular(factor, x[..., None], lower=True)[..., 0]
    return -0.5 * (z**2).sum(-1) - jnp.log(jnp.diagonal(factor, axis1=1, axis2=2)).sum(-1)


@PROGRAMS.add(uniform(60, 2), uniform(60, 2, low=0.1, high=0.3), uniform(60))
def non_maximum_suppression(corner, size, scores):
    boxes = jnp.concatenate([corner, corner + size], -1)
    order = jnp.argsort(-scores)
    boxes = boxes[order]
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    low = jnp.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = jnp.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    overlap = jnp.prod(jnp.maximum(high - low, 0), -1)
    iou = overlap / (area[:, None] + area[None] - overlap)

    def body(i, keep):
        return jnp.where((jnp.arange(60) > i) & (iou[i] > 0.5) & keep[i], False, keep)

    return order, jax.lax.fori_loop(0, 60, body, jnp.ones(60, bool))


@PROGRAMS.add(normal(8, 32, 2))
def two_body_accelerations(x):
    d = x[:, None] - x[:, :, None]
    r3 = (jnp.sum(d**2, -1) + 0.01) ** 1.5
    return (d / r3[..., None]).sum(1)


@PROGRAMS.add(normal(300, 3), normal(400, 3))
def nearest_neighbours(a, b):
    d = ((a[:, None] - b[None]) ** 2).sum(-1)
    distance, index = jax.lax.top_k(-d, 4)
    return -distance, index


@PROGRAMS.add(normal(200, 3), normal(64, 3))
def chamfer_distance(a, b):
    d = jnp.sum((a[:, None, :] - b[None, :, :]) ** 2, axis=-1)
    return d.min(0).mean() + d.min(1).mean()


@PROGRAMS.add(normal(8, 64, 64), normal(8, 64))
def batched_vectors(a, x):
    return jax.vmap(lambda m, v: jnp.tanh(m @ v))(a, x)


@PROGRAMS.add(normal(4, 128, 64), normal(4, 64))
def bilinear_scores(keys, query):
    return jax.nn.softmax(jnp.einsum("btd,bd->bt", keys, query) / 8)


@PROGRAMS.add(uniform(64, 64, 3))
def rgb_to_hsv(image):
    r, g, b = image[..., 0], image[..., 1], image[..., 2]
    high, low = image.max(-1), image.min(-1)
    d = jnp.where(high == low, 1, high - low)
    h = jnp.where(high == r, (g - b) / d, jnp.where(high == g, 2 + (b - r) / d, 4 + (r - g) / d))
    return jnp.stack([(h / 6) % 1.0, (high - low) / jnp.maximum(high, 1e-9), high], -1)


@PROGRAMS.add(normal(64, 64, 4), normal(64, 4, 4))
def complex_pairs(x, m):
    """Rotary pairs of a small head, by even and odd elements."""
    even, odd = x[..., ::2], x[..., 1::2]
    c, s = jnp.cos(jnp.arange(64.0))[:, None, None], jnp.sin(jnp.arange(64.0))[:, None, None]
    turned = jnp.stack([even * c - odd * s, even * s + odd * c], -1).reshape(x.shape)
    return turned @ m


@PROGRAMS.add(normal(100, 6))
def six_dimensional_rotation(x):
    """Rotation matrices by Gram and Schmidt (Zhou et al.)."""
    a, b = x[:, :3], x[:, 3:]
    e1 = a / jnp.linalg.norm(a, axis=-1, keepdims=True)
    b = b - (e1 * b).sum(-1, keepdims=True) * e1
    e2 = b / jnp.linalg.norm(b, axis=-1, keepdims=True)
    return jnp.stack([e1, e2, jnp.cross(e1, e2)], -2)


@PROGRAMS.add(uniform(32, 32, 3), normal(3, 3))
def color_matrix_gamma(image, m):
    linear = jnp.where(image > 0.04045, ((image + 0.055) / 1.055) ** 2.4, image / 12.92)
    return jnp.einsum("hwc,dc->hwd", linear, m)


@PROGRAMS.add(normal(64, 48), normal(16, 48), normal(16))
def capsule_squash(x, w, b):
    s = (x @ w.T + b).reshape(64, 4, 4)
    n = (s**2).sum(-1, keepdims=True)
    return n / (1 + n) * s / jnp.sqrt(n + 1e-9)


@PROGRAMS.add(uniform(96, 96, 3))
def hsl_threshold(image):
    """Pixels by lightness and saturation, dark ones in one colour and light ones in another."""
    high, low = image.max(-1), image.min(-1)
    light = 0.5 * (high + low)
    spread = high - low
    saturation = jnp.where(light > 0.5, spread / (2 - high - low + 1e-6), spread / (high + low + 1e-6))
    return jnp.where(saturation[..., None] > 0.4, image, light[..., None] * jnp.ones(3))


@PROGRAMS.add(normal(128, 128))
def minmod_slopes(u):
    """Slopes of a limited reconstruction, as in finite volumes."""
    a, b = u - jnp.roll(u, 1, 1), jnp.roll(u, -1, 1) - u
    return jnp.where(a * b > 0, jnp.where(jnp.abs(a) < jnp.abs(b), a, b), 0.0)


@PROGRAMS.add(normal(24, 4, 4), normal(24, 4))
def mahalanobis_distances(a, x):
    cov = a @ jnp.swapaxes(a, 1, 2) + jnp.eye(4)
    return jnp.sqrt(jnp.einsum("ni,ni->n", x, jnp.linalg.solve(cov, x[..., None])[..., 0]))


@PROGRAMS.add(normal(8, 12, 12), normal(8, 12), tolerance=1e-3)
def batched_cholesky_solve(a, b):
    k = a @ jnp.swapaxes(a, 1, 2) + 12 * jnp.eye(12)
    return jax.vmap(lambda m, y: jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(m), True), y))(k, b)


@PROGRAMS.add(uniform(40, 2), normal(40), uniform(30, 2), tolerance=1e-2)
def gaussian_process_posterior(x, y, new):
    def kernel(a, b):
        return jnp.exp(-0.5 * jnp.sum((a[:, None] - b[None]) ** 2, -1) / 0.09)

    factor = jnp.linalg.cholesky(kernel(x, x) + 0.1 * jnp.eye(40))
    v = jax.scipy.linalg.solve_triangular(factor, kernel(x, new), lower=True)
    return kernel(new, x) @ jax.scipy.linalg.cho_solve((factor, True), y), 1 - jnp.sum(v**2, 0)


@PROGRAMS.add(normal(60, 4, 4))
def log_determinants(a):
    sign, size = jnp.linalg.slogdet(a + 4 * jnp.eye(4))
    return sign, size


@PROGRAMS.add(normal(64, 20, 3))
def shape_of_point_sets(x):
    """Linearity, planarity and scattering of neighbourhoods, by the eigenvalues of their covariances."""
    centred = x - x.mean(1, keepdims=True)
    low, mid, high = jnp.moveaxis(jnp.linalg.eigvalsh(jnp.einsum("npi,npj->nij", centred, centred) / 20), -1, 0)
    return (high - mid) / high, (mid - low) / high, low / high


@PROGRAMS.add(normal(80, 80), normal(80, 80))
def smith_waterman_scores(a, b):
    """Element by element: matches, gaps and what is less than zero."""
    score = jnp.where(a > b, 2 * a - b, a - 1.0)
    return jnp.maximum(jnp.where(score > b, score, b - 0.5), 0)
