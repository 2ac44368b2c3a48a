// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/sprite_library.h"

#include "core/base/error.h"

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <utility>

namespace maskscope {

namespace {

constexpr int kSmallestLevel = 24;

cv::Mat read(const std::filesystem::path& sources, const std::string& name, int flags) {
    const std::filesystem::path file = sources / (name + ".png");
    cv::Mat picture = cv::imread(file.string(), flags);
    if (picture.empty() || picture.depth() != CV_8U)
        throw Failure(ErrorKind::Input,
            "The training picture " + file.string()
                + " is missing or no 8-bit PNG; run resources/models/tools/fetch_sources.py.");
    return picture;
}

cv::Mat readSprite(const std::filesystem::path& sources, const std::string& name) {
    cv::Mat picture = read(sources, name, cv::IMREAD_UNCHANGED);
    if (picture.channels() != 4)
        throw Failure(ErrorKind::Input,
            "The training sprite " + name
                + " has no transparency; run resources/models/tools/fetch_sources.py.");
    cv::cvtColor(picture, picture, cv::COLOR_BGRA2RGBA);
    picture.forEach<cv::Vec4b>([](cv::Vec4b& pixel, const int*) {
        for (int c = 0; c < 3; ++c)
            pixel[c] = static_cast<std::uint8_t>((pixel[c] * pixel[3] + 127) / 255);
    });
    return picture;
}

std::vector<Sprite> readSprites(
    const std::filesystem::path& sources, const std::vector<std::string>& names) {
    std::vector<Sprite> sprites;
    sprites.reserve(names.size());
    for (const std::string& name : names)
        sprites.emplace_back(readSprite(sources, name));
    return sprites;
}

std::vector<cv::Mat> readBackgrounds(
    const std::filesystem::path& sources, const std::vector<std::string>& names) {
    std::vector<cv::Mat> pictures;
    pictures.reserve(names.size());
    for (const std::string& name : names) {
        cv::Mat picture = read(sources, name, cv::IMREAD_COLOR);
        cv::cvtColor(picture, picture, cv::COLOR_BGR2RGB);
        pictures.push_back(std::move(picture));
    }
    return pictures;
}

} // namespace

Sprite::Sprite(cv::Mat picture) {
    m_levels.push_back(std::move(picture));
    while (std::max(m_levels.back().rows, m_levels.back().cols) >= 2 * kSmallestLevel) {
        const cv::Mat& last = m_levels.back();
        cv::Mat half;
        cv::resize(last, half, {(last.cols + 1) / 2, (last.rows + 1) / 2}, 0, 0, cv::INTER_AREA);
        m_levels.push_back(std::move(half));
    }
}

const cv::Mat& Sprite::level(double side) const {
    const auto found = std::find_if(m_levels.rbegin(), m_levels.rend(),
        [side](const cv::Mat& level) { return std::max(level.rows, level.cols) >= side; });
    return found == m_levels.rend() ? m_levels.front() : *found;
}

std::int64_t Sprite::bytes() const {
    std::int64_t sum = 0;
    for (const cv::Mat& level : m_levels)
        sum += static_cast<std::int64_t>(level.total() * level.elemSize());
    return sum;
}

SpriteLibrary::SpriteLibrary(ClassList classes)
    : m_classes(std::move(classes)) { }

std::shared_ptr<const SpriteLibrary> SpriteLibrary::load(
    const std::filesystem::path& sources, ClassList classes) {
    std::shared_ptr<SpriteLibrary> library(new SpriteLibrary(std::move(classes)));
    const ClassList& list = library->m_classes;
    for (const ObjectClass& kind : list.all()) {
        library->m_training.byClass.push_back(readSprites(sources, kind.pictures.sprites));
        library->m_heldOut.byClass.push_back(readSprites(sources, kind.pictures.heldOut));
    }
    library->m_training.nameless = readSprites(sources, list.nameless().sprites);
    library->m_heldOut.nameless = readSprites(sources, list.nameless().heldOut);
    library->m_training.backgrounds = readBackgrounds(sources, list.backgrounds().sprites);
    library->m_heldOut.backgrounds = readBackgrounds(sources, list.backgrounds().heldOut);
    return library;
}

const SpriteLibrary::Shelf& SpriteLibrary::spriteShelf(SceneSet set) const {
    return set == SceneSet::UnseenSprites ? m_heldOut : m_training;
}

const std::vector<Sprite>& SpriteLibrary::sprites(int classIndex, SceneSet set) const {
    return spriteShelf(set).byClass.at(static_cast<std::size_t>(classIndex));
}

const std::vector<Sprite>& SpriteLibrary::nameless(SceneSet set) const {
    return spriteShelf(set).nameless;
}

const std::vector<cv::Mat>& SpriteLibrary::backgrounds(SceneSet set) const {
    return set == SceneSet::Training ? m_training.backgrounds : m_heldOut.backgrounds;
}

std::int64_t SpriteLibrary::bytes() const {
    std::int64_t sum = 0;
    for (const Shelf* shelf : {&m_training, &m_heldOut}) {
        for (const auto& sprites : shelf->byClass)
            for (const Sprite& sprite : sprites)
                sum += sprite.bytes();
        for (const Sprite& sprite : shelf->nameless)
            sum += sprite.bytes();
        for (const cv::Mat& picture : shelf->backgrounds)
            sum += static_cast<std::int64_t>(picture.total() * picture.elemSize());
    }
    return sum;
}

} // namespace maskscope
