# SPDX-License-Identifier: Apache-2.0
"""Choices from which programs are drawn: numbers below a bound, random or given. They can be shrunk."""

import random


class choices:
    """`below(n)` is a number in [0, n): from the generator with this seed, or the next given one, and 0 after these."""

    def __init__(self, seed=None, given=()):
        self.random = random.Random(seed) if seed is not None else None
        self.given, self.made = given, []

    def below(self, bound):
        if self.random:
            chosen = self.random.randrange(bound)
        else:
            chosen = min(self.given[len(self.made)], bound - 1) if len(self.made) < len(self.given) else 0
        self.made.append(chosen)
        return chosen


def shrink(made, fails, tries):
    """The smallest choices found for which `fails` still holds. Shorter lists are smaller, then smaller numbers.

    `fails` takes a list and returns the choices that were used, or None. It is called up to `tries` times.
    """
    best, before = list(made), None
    while best != before:
        before = best
        for smaller in (without_spans, with_smaller_numbers):
            steps = smaller(best)
            candidate = next(steps, None)
            while candidate is not None and tries > 0:
                tries -= 1
                used = fails(candidate)
                better = used is not None and (len(used), used) < (len(best), best)
                best = used if better else best
                try:
                    candidate = steps.send(best)
                except StopIteration:
                    candidate = None
    return best


def without_spans(best):
    """Yields candidates without some consecutive choices, long runs first. Is sent the best choices so far."""
    span = len(best) // 2
    while span:
        start = 0
        while start + span <= len(best):
            shorter = yield best[:start] + best[start + span :]
            start, best = (start, shorter) if shorter is not best else (start + span, best)
        span //= 2


def with_smaller_numbers(best):
    """Yields candidates with one smaller choice. Is sent the best choices so far."""
    index = 0
    while index < len(best):
        for smaller in sorted({0, best[index] // 2, best[index] - 1} - {-1, best[index]}):
            now = yield [*best[:index], smaller, *best[index + 1 :]]
            if now is not best:
                best = now
                break
        index += 1
