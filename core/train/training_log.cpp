// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/training.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>

namespace maskscope {

std::string lineOf(const TrainingRecord& record) {
    char text[160];
    std::snprintf(text, sizeof text, "%s %6.1f min %7llu images %5.1f/s rate %.2e norm %.2f",
        record.stage.c_str(), record.minutes, static_cast<unsigned long long>(record.images),
        record.imagesPerSecond, record.rate, record.gradientNorm);
    std::string line = text;
    for (std::size_t i = 0; i < kFigures; ++i) {
        const auto figure = static_cast<Figure>(i);
        if (!record.figures.has(figure))
            continue;
        std::snprintf(text, sizeof text, " %s %.3f", std::string(nameOf(figure)).c_str(),
            record.figures.mean(figure));
        line += text;
    }
    return line;
}

std::string jsonOf(const TrainingRecord& record) {
    const auto rounded = [](double value) { return std::round(value * 1e5) / 1e5; };
    nlohmann::ordered_json json{{"stage", record.stage}, {"minutes", rounded(record.minutes)},
        {"images", record.images}, {"images_per_second", rounded(record.imagesPerSecond)},
        {"rate", record.rate}, {"gradient_norm", rounded(record.gradientNorm)}};
    for (std::size_t i = 0; i < kFigures; ++i) {
        const auto figure = static_cast<Figure>(i);
        if (record.figures.has(figure))
            json[std::string(nameOf(figure))] = rounded(record.figures.mean(figure));
    }
    return json.dump();
}

std::string lineOf(const StageJudgement& judgement) {
    std::string line = judgement.stage + " judged on " + std::to_string(judgement.scenes)
        + " scenes of seen sprites:";
    for (const auto& [name, value] : judgement.figures) {
        char text[160];
        std::snprintf(text, sizeof text, " %s %.3f", name.c_str(), value);
        line += text;
    }
    return line;
}

std::string jsonOf(const StageJudgement& judgement) {
    const nlohmann::ordered_json json{{"stage", judgement.stage},
        {"judged_scenes", judgement.scenes}, {"judged", judgement.figures}};
    return json.dump();
}

} // namespace maskscope
