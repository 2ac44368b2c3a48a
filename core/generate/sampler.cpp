// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generate/sampler.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace maskscope {
namespace {

struct Weighted {
    int id = 0;
    float logit = 0;
    double weight = 0; ///< e^((logit - best) / temperature), 1 for the best
};

bool isWorse(const Weighted& a, const Weighted& b) {
    return a.logit != b.logit ? a.logit < b.logit : a.id > b.id;
}

bool isBetter(const Weighted& a, const Weighted& b) {
    return isWorse(b, a);
}

std::size_t bestOf(std::span<const float> logits, int position) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::size_t best = 0;
    bool isBroken = logits.empty();
    for (std::size_t i = 0; i < logits.size(); ++i) {
        isBroken = isBroken || std::isnan(logits[i]) || logits[i] == kInfinity;
        if (logits[i] > logits[best])
            best = i;
    }
    if (isBroken || logits[best] == -kInfinity)
        throw Failure(ErrorKind::Model,
            "The model produced invalid numbers at token " + std::to_string(position)
                + " of the answer; its weights may be damaged.");
    return best;
}

double sumOf(const std::vector<Weighted>& tokens) {
    double sum = 0;
    for (const Weighted& token : tokens)
        sum += token.weight;
    return sum;
}

void keepTopK(std::vector<Weighted>& tokens, int topK) {
    const auto count = static_cast<std::size_t>(topK);
    if (count == 0 || count >= tokens.size())
        return;
    std::ranges::partial_sort(tokens, tokens.begin() + topK, isBetter);
    tokens.resize(count);
}

/// The fewest best tokens whose share reaches topP; one at least.
void keepTopP(std::vector<Weighted>& tokens, double topP) {
    if (topP >= 1)
        return;
    const double enough = topP * sumOf(tokens);
    std::ranges::make_heap(tokens, isWorse);
    std::vector<Weighted> kept;
    double sum = 0;
    do {
        std::ranges::pop_heap(tokens, isWorse);
        kept.push_back(tokens.back());
        sum += kept.back().weight;
        tokens.pop_back();
    } while (!tokens.empty() && sum < enough);
    tokens = std::move(kept);
}

std::uint64_t drawnSeed() {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
}

} // namespace

void checkSampling(const Sampling& sampling) {
    const auto refuse
        = [](const std::string& sentence) { throw Failure(ErrorKind::Usage, sentence); };
    if (!std::isfinite(sampling.temperature) || sampling.temperature < 0)
        refuse("The temperature must be 0 (always the likeliest token) or a positive number, not "
            + std::to_string(sampling.temperature) + ".");
    if (sampling.topK < 0)
        refuse("top-k must be 0 (off) or a positive number, not " + std::to_string(sampling.topK)
            + ".");
    if (!(sampling.topP >= 0 && sampling.topP <= 1))
        refuse("top-p must be from 0 to 1 (off), not " + std::to_string(sampling.topP) + ".");
}

std::vector<Candidate> candidates(
    std::span<const float> logits, const Sampling& sampling, int position) {
    const std::size_t best = bestOf(logits, position);
    if (sampling.temperature == 0)
        return {{static_cast<int>(best), 1}};

    std::vector<Weighted> tokens;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        const double distance = double{logits[i]} - double{logits[best]};
        if (std::isfinite(distance))
            tokens.push_back(
                {static_cast<int>(i), logits[i], std::exp(distance / sampling.temperature)});
    }
    keepTopK(tokens, sampling.topK);
    keepTopP(tokens, sampling.topP);

    const double sum = sumOf(tokens);
    std::vector<Candidate> result;
    result.reserve(tokens.size());
    for (const Weighted& token : tokens)
        result.push_back({token.id, token.weight / sum});
    return result;
}

Sampler::Sampler(const Sampling& sampling)
    : m_sampling(sampling)
    , m_seed(sampling.seed ? *sampling.seed : drawnSeed())
    , m_random(m_seed) {
    checkSampling(sampling);
}

int Sampler::next(std::span<const float> logits) {
    const std::vector<Candidate> choice = candidates(logits, m_sampling, ++m_position);
    // std::uniform_real_distribution may differ between standard libraries.
    double left = static_cast<double>(m_random() >> 11) * 0x1p-53;
    int chosen = choice.front().id;
    for (const Candidate& candidate : choice) {
        if (candidate.probability > 0)
            chosen = candidate.id;
        left -= candidate.probability;
        if (left < 0)
            break;
    }
    return chosen;
}

} // namespace maskscope
