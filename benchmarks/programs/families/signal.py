# SPDX-License-Identifier: Apache-2.0
"""Signal processing: transforms, filters, spectra, convolutions by transforms."""

import jax.numpy as jnp
import jax.scipy.signal as jsp
import numpy as np

from . import Programs, normal, uniform

PROGRAMS = Programs()


@PROGRAMS.add(normal(4800))
def stft_magnitude(x):
    _, _, z = jsp.stft(x, nperseg=256, noverlap=128)
    return jnp.abs(z)


@PROGRAMS.add(normal(2, 16000))
def log_mel(x):
    """Whisper's features: frames of 400 samples, 80 bands."""
    window = jnp.hanning(401)[:-1]
    frames = x[:, jnp.arange(98)[:, None] * 160 + jnp.arange(400)]
    power = jnp.abs(jnp.fft.rfft(frames * window, axis=-1)) ** 2
    centers = np.linspace(0, 200, 82)
    bank = np.maximum(0, 1 - np.abs(np.arange(201)[:, None] - centers[1:-1]) / (centers[1] - centers[0]))
    mel = power @ bank.astype("float32")
    logs = jnp.log10(jnp.maximum(mel, 1e-10))
    return (jnp.maximum(logs, logs.max() - 8) + 4) / 4


@PROGRAMS.add(normal(16, 48))
def rfft_48(x):
    f = jnp.fft.rfft(x)
    return f.real, f.imag


@PROGRAMS.add(normal(8, 105))
def fft_odd(x):
    f = jnp.fft.fft(x)
    return jnp.abs(f), f.real


@PROGRAMS.add(normal(4, 1000))
def power_spectrum_1000(x):
    return jnp.abs(jnp.fft.rfft(x * jnp.hanning(1000))) ** 2


@PROGRAMS.add(normal(4000), normal(511))
def fftconvolve(x, h):
    return jsp.fftconvolve(x, h)


@PROGRAMS.add(normal(64, 64), normal(9, 9))
def fftconvolve_image(x, h):
    return jsp.fftconvolve(x, h, mode="same")


@PROGRAMS.add(normal(96, 96, dtype="float64"), x64=True)
def heat_step_float64(u):
    k = jnp.fft.fftfreq(96, 1 / 96) * 2 * jnp.pi
    kx, ky = k[:, None], k[None, :49]
    return jnp.fft.irfft2(jnp.fft.rfft2(u) * jnp.exp(-1e-4 * (kx**2 + ky**2)), s=(96, 96))


@PROGRAMS.add(normal(64, 64))
def poisson_spectral(f):
    k = 2 * jnp.pi * jnp.fft.fftfreq(64)
    k2 = k[:, None] ** 2 + k[None, :] ** 2
    return jnp.fft.ifft2(-jnp.fft.fft2(f) / jnp.where(k2 == 0, 1, k2)).real


@PROGRAMS.add(normal(2, 64, 64, 16), normal(16, 16, 12, 12), normal(16, 16, 12, 12))
def fourier_neural_layer(x, real, imaginary):
    """The spectral convolution of a Fourier neural operator."""
    f = jnp.fft.rfft2(x, axes=(1, 2))[:, :12, :12]
    y = jnp.einsum("bxyi,ioxy->bxyo", f, real + 1j * imaginary)
    return jnp.fft.irfft2(jnp.pad(y, ((0, 0), (0, 52), (0, 21), (0, 0))), s=(64, 64), axes=(1, 2))


@PROGRAMS.add(normal(4, 64, 96))
def fnet_mixing(x):
    return jnp.fft.fft2(x, axes=(-2, -1)).real


@PROGRAMS.add(normal(1024))
def hilbert_envelope(x):
    gain = np.zeros(1024, "float32")
    gain[0] = gain[512] = 1
    gain[1:512] = 2
    return jnp.abs(jnp.fft.ifft(jnp.fft.fft(x) * gain))


@PROGRAMS.add(normal(600))
def autocorrelation(x):
    f = jnp.fft.rfft(x - x.mean(), 1200)
    r = jnp.fft.irfft(f * jnp.conj(f))[:600]
    return r / r[0]


@PROGRAMS.add(normal(8, 8, 64))
def dct_blocks(x):
    """The cosine transform by a transform of the doubled signal."""
    n = x.shape[-1]
    v = jnp.concatenate([x[..., ::2], x[..., ::-1][..., n % 2 :: 2]], -1)
    k = -1j * jnp.pi * jnp.arange(n) / (2 * n)
    return 2 * (jnp.fft.fft(v) * jnp.exp(k)).real


@PROGRAMS.add(normal(256), normal(256))
def welch_coherence(x, y):
    frames = jnp.arange(7)[:, None] * 32 + jnp.arange(64)
    window = jnp.hanning(64)
    fx, fy = jnp.fft.rfft(x[frames] * window), jnp.fft.rfft(y[frames] * window)
    cross = (fx * jnp.conj(fy)).mean(0)
    return jnp.abs(cross) ** 2 / ((jnp.abs(fx) ** 2).mean(0) * (jnp.abs(fy) ** 2).mean(0))


@PROGRAMS.add(normal(2, 2048))
def inverse_stft(x):
    _, _, z = jsp.stft(x, nperseg=128)
    return jsp.istft(z * (jnp.abs(z) > 1e-2), nperseg=128)[1]


@PROGRAMS.add(normal(500))
def resample_by_transform(x):
    f = jnp.fft.rfft(x)
    return jnp.fft.irfft(f[:126], 250) * 0.5


@PROGRAMS.add(normal(2000))
def moving_average(x):
    return jnp.convolve(x, jnp.ones(25) / 25, mode="same")


@PROGRAMS.add(normal(32, 32, 32))
def fft_3d_filter(x):
    k = jnp.fft.fftfreq(32)
    mask = (k[:, None, None] ** 2 + k[:, None] ** 2 + k**2) < 0.04
    return jnp.fft.ifftn(jnp.fft.fftn(x) * mask).real


@PROGRAMS.add(normal(1, 4096))
def spectral_flatness(x):
    frames = x.reshape(1, 16, 256)
    power = jnp.abs(jnp.fft.rfft(frames * jnp.hanning(256))) ** 2 + 1e-9
    return jnp.exp(jnp.log(power).mean(-1)) / power.mean(-1)


@PROGRAMS.add(normal(24, 60))
def phase_correlation(x):
    f, g = jnp.fft.fft(x), jnp.fft.fft(jnp.roll(x, 7, -1))
    cross = f * jnp.conj(g)
    return jnp.fft.ifft(cross / (jnp.abs(cross) + 1e-6)).real


@PROGRAMS.add(uniform(20, 20), uniform(20, 20), uniform(20, 20))
def complex_field(phase, amplitude, mask):
    """One step of Gerchberg and Saxton's phase retrieval."""
    field = amplitude * jnp.exp(2j * jnp.pi * phase)
    far = jnp.fft.fft2(field)
    back = jnp.fft.ifft2(mask * jnp.exp(1j * jnp.angle(far + 1e-3)))
    return back.real, back.imag
