// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/class_list.h"
#include "core/train/scene.h"

#include <opencv2/core/mat.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace maskscope {

/// One picture with transparency at falling sizes, so that a small copy needs no expensive filter.
class Sprite {
public:
    /// `picture` is CV_8UC4 RGBA, premultiplied.
    explicit Sprite(cv::Mat picture);

    /// The smallest level whose long side is at least `side` pixels, else the largest there is.
    const cv::Mat& level(double side) const;
    std::int64_t bytes() const;

private:
    std::vector<cv::Mat> m_levels; ///< each half the size of the one before
};

/// All pixels that scenes are made of, loaded once. Immutable: shared by any number of threads.
class SpriteLibrary {
public:
    /// `sources` is the folder that resources/models/tools/fetch_sources.py fills. Failure(Input)
    /// names the picture of the class list that is missing there.
    static std::shared_ptr<const SpriteLibrary> load(
        const std::filesystem::path& sources, ClassList classes);

    const ClassList& classes() const { return m_classes; }
    /// Sprites of a class that may be used in `set`.
    const std::vector<Sprite>& sprites(int classIndex, SceneSet set) const;
    /// Sprites without a name, for objects of the class unknown().
    const std::vector<Sprite>& nameless(SceneSet set) const;
    /// CV_8UC3 RGB photographs and pictures, long side up to 1024.
    const std::vector<cv::Mat>& backgrounds(SceneSet set) const;
    std::int64_t bytes() const; ///< memory its pixels take

private:
    struct Shelf {
        std::vector<std::vector<Sprite>> byClass;
        std::vector<Sprite> nameless;
        std::vector<cv::Mat> backgrounds;
    };

    explicit SpriteLibrary(ClassList classes);
    const Shelf& spriteShelf(SceneSet set) const;

    ClassList m_classes;
    Shelf m_training;
    Shelf m_heldOut;
};

} // namespace maskscope
