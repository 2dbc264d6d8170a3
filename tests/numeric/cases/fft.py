import jax.numpy as jnp

from table import c64, case, f32

case("fft", "fft", lambda x: jnp.fft.fft(x), c64(2, 8), atol=1e-4)
case("fft", "ifft", lambda x: jnp.fft.ifft(x), c64(2, 8), atol=1e-4)
case("fft", "rfft", lambda x: jnp.fft.rfft(x), f32(2, 8), atol=1e-4)
case("fft", "irfft", lambda x: jnp.fft.irfft(x), c64(2, 5), atol=1e-4)
case("fft", "odd_length", lambda x: jnp.fft.fft(x), c64(7), atol=1e-4)
case("fft", "irfft_odd", lambda x: jnp.fft.irfft(x, 7), c64(2, 4), atol=1e-4)
case("fft", "fft2", lambda x: jnp.fft.fft2(x), c64(4, 6), atol=1e-4)
case("fft", "rfft2", lambda x: jnp.fft.rfft2(x), f32(4, 6), atol=1e-4)
case("fft", "real_input", lambda x: jnp.abs(jnp.fft.fft(x)), f32(6), atol=1e-4)
