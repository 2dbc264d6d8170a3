# SPDX-License-Identifier: Apache-2.0
"""The table of a family's programs, and random arguments for them."""

import dataclasses
import typing

import numpy as np

# Not named `random`, because the family of that name becomes an attribute of this package.
generator = np.random.default_rng(0)


@dataclasses.dataclass
class Program:
    name: str
    function: typing.Callable
    arguments: tuple
    x64: bool = False  # traced and run with jax_enable_x64
    tolerance: float = 1e-3  # maximum of the largest difference, relative to the largest element of a result


class Programs(list):
    """A list of programs. Functions are added by a decorator, which takes their example arguments. Its random numbers
    do not depend on which families were imported before."""

    def __init__(self):
        super().__init__()
        generator.bit_generator.state = np.random.PCG64(0).state

    def add(self, *arguments, **options):
        def added(function):
            self.append(Program(function.__name__, function, arguments, **options))
            return function

        return added


def normal(*shape, dtype="float32"):
    return generator.normal(size=shape).astype(dtype)


def uniform(*shape, low=0.0, high=1.0, dtype="float32"):
    return generator.uniform(low, high, shape).astype(dtype)


def integers(high, *shape, low=0, dtype="int32"):
    return generator.integers(low, high, shape).astype(dtype)
