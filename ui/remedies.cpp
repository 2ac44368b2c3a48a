// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/remedies.h"

#include "ui/convert.h"
#include "ui/graph_axis.h"
#include "ui/read_out.h"
#include "ui/size_plan.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <array>
#include <numeric>

namespace maskscope {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Remedies)
};

constexpr std::size_t kMostCategories = 3;

bool holdsMatrices(AttentionPath path) {
    return path == AttentionPath::Mha;
}

bool isAvailable(const ModelDescription& model, AttentionPath path) {
    return std::ranges::any_of(model.attention, [path](const AttentionCapability& capability) {
        return capability.path == path && capability.available;
    });
}

std::int64_t pixelsOf(
    const RunSettings& settings, const ModelDescription& model, std::int64_t imagePixels) {
    const std::int64_t asked = settings.pixels == kNativePixels ? imagePixels
        : settings.pixels > 0                                   ? settings.pixels
                                                                : model.info.trainingPixels;
    return model.info.mostPixels > 0 ? std::min(asked, model.info.mostPixels) : asked;
}

std::int64_t loadedBytes(const ModelDescription& model) {
    const auto& bytes = model.info.bytesByDtype;
    return std::accumulate(bytes.begin(), bytes.end(), std::int64_t(0),
        [](std::int64_t sum, const auto& entry) { return sum + entry.second; });
}

/// The largest round size that fits, at most `most`; 0 where none does.
std::int64_t fittingPixels(const ModelDescription& model, AttentionPath path, std::int64_t most,
    const std::optional<std::int64_t>& limit) {
    const NeedCurve need(model.forecasts, path == AttentionPath::Auto ? AttentionPath::Sdpa : path);
    std::int64_t fits = most / 2;
    if (limit && !need.isEmpty())
        fits = mostPixelsWithin(*limit - loadedBytes(model), most,
            [&](std::int64_t pixels) { return need.at(patchesOf(pixels)).peakBytes; });
    if (fits >= most)
        return most;
    const auto& sizes = roundImageSizes();
    const auto above = std::upper_bound(sizes.begin(), sizes.end(), fits);
    return above == sizes.begin() ? 0 : *std::prev(above);
}

} // namespace

std::vector<Remedy> remediesFor(const RunSettings& settings, const ModelDescription& model,
    std::int64_t imagePixels, const std::optional<std::int64_t>& limit) {
    std::vector<Remedy> remedies;
    const std::int64_t now = pixelsOf(settings, model, imagePixels);
    if (holdsMatrices(settings.attention))
        for (const AttentionPath lean : {AttentionPath::Sdpa, AttentionPath::Flash}) {
            if (!isAvailable(model, lean))
                continue;
            const std::int64_t fits = limit ? fittingPixels(model, lean, now, limit) : now;
            if (fits > 0) {
                RunSettings changed = settings;
                changed.attention = lean;
                const QString name = toQString(nameOf(lean));
                if (fits < now)
                    changed.pixels = fits;
                remedies.push_back(
                    {fits < now ? Text::tr("Run with %1 at %2").arg(name, megapixelText(fits))
                                : Text::tr("Run with %1").arg(name),
                        changed});
            }
            break;
        }
    // The forecast said that it would fit, or it would have been refused: less than that.
    const std::int64_t fits = fittingPixels(model, settings.attention, now * 9 / 10, limit);
    if (fits > 0) {
        RunSettings changed = settings;
        changed.pixels = fits;
        remedies.push_back({Text::tr("Run at %1").arg(megapixelText(fits)), changed});
    }
    return remedies;
}

QString largestCategories(const MemorySample& sample) {
    std::array<std::size_t, kMemoryCategories> order{};
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, std::ranges::greater{},
        [&](std::size_t category) { return sample.byCategory.at(category); });
    QStringList texts;
    for (std::size_t i = 0; i < kMostCategories; ++i)
        if (const std::int64_t bytes = sample.byCategory.at(order.at(i)); bytes > 0)
            texts += Text::tr("%1 %2").arg(
                titleOf(static_cast<MemoryCategory>(order.at(i))).toLower(), sizeText(bytes));
    return texts.join(QStringLiteral(", "));
}

} // namespace maskscope
