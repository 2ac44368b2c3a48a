#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the tokens that seed 42 draws in sampler_test: mt19937_64 as Nishimura published it (and as
the C++ standard fixes it), 53 bits of each number, and the inverse of the cumulative softmax."""
import math

N, M = 312, 156
MASK = (1 << 64) - 1


class MersenneTwister64:
    def __init__(self, seed):
        self.state = [seed & MASK]
        for i in range(1, N):
            last = self.state[-1]
            self.state.append((6364136223846793005 * (last ^ (last >> 62)) + i) & MASK)
        self.index = N

    def twist(self):
        for i in range(N):
            x = (self.state[i] & 0xFFFFFFFF80000000) | (self.state[(i + 1) % N] & 0x7FFFFFFF)
            self.state[i] = self.state[(i + M) % N] ^ (x >> 1) ^ (0xB5026F5AA96619E9 if x & 1 else 0)
        self.index = 0

    def __call__(self):
        if self.index == N:
            self.twist()
        x = self.state[self.index]
        self.index += 1
        x ^= (x >> 29) & 0x5555555555555555
        x ^= (x << 17) & 0x71D67FFFEDA60000 & MASK
        x ^= (x << 37) & 0xFFF7EEE000000000 & MASK
        return x ^ (x >> 43)


check = MersenneTwister64(5489)
numbers = [check() for _ in range(10000)]
assert numbers[-1] == 9981545732273789042, "the standard's own check"

logits = [2.0, 1.0, 0.5, -0.5, -3.0]
weights = [math.exp(x - max(logits)) for x in logits]
random = MersenneTwister64(42)
tokens = []
for _ in range(16):
    left = (random() >> 11) * 2.0**-53
    token = 0
    while left >= sum(weights[:token + 1]) / sum(weights):
        token += 1
    tokens.append(token)
print(", ".join(map(str, tokens)))
