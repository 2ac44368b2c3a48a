// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/random_stream.h"

#include <cmath>
#include <numbers>

namespace maskscope {

std::uint64_t RandomStream::next() {
    m_state += 0x9e3779b97f4a7c15U;
    std::uint64_t z = m_state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

double RandomStream::real() {
    return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

double RandomStream::real(double low, double high) {
    return low + (high - low) * real();
}

double RandomStream::logReal(double low, double high) {
    return std::exp(real(std::log(low), std::log(high)));
}

int RandomStream::below(int count) {
    return static_cast<int>(real() * count);
}

int RandomStream::between(int low, int high) {
    return low + below(high - low + 1);
}

bool RandomStream::chance(double probability) {
    return real() < probability;
}

double RandomStream::normal() {
    const double radius = std::sqrt(-2 * std::log(1 - real()));
    return radius * std::cos(2 * std::numbers::pi * real());
}

std::uint64_t mixSeed(std::uint64_t seed, std::uint64_t stream) {
    RandomStream mixed(seed ^ (stream * 0xd1342543de82ef95U + 0x632be59bd9b4e019U));
    return mixed.next();
}

} // namespace maskscope
