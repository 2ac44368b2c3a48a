// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/scene.h"

#include <cstdint>
#include <memory>

namespace maskscope {

class SpriteLibrary;

/// Makes pictures with exact masks out of a sprite library: a background, one to seven objects,
/// light and noise. The same set, seed and size give the same bytes, on any number of threads.
class SceneComposer {
public:
    explicit SceneComposer(std::shared_ptr<const SpriteLibrary> library);

    /// Width and height are multiples of 32, at least 64 (else Failure(Usage)). Any thread.
    Scene compose(SceneSet set, std::uint64_t seed, int width, int height) const;

    const SpriteLibrary& library() const { return *m_library; }

private:
    std::shared_ptr<const SpriteLibrary> m_library;
};

} // namespace maskscope
