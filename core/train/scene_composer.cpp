// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/scene_composer.h"

#include "core/base/error.h"
#include "core/train/backdrop.h"
#include "core/train/drawing.h"
#include "core/train/layer.h"
#include "core/train/sprite_library.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace maskscope {

namespace {

constexpr int kMostObjects = 7;
constexpr double kCrowds = 0.05; ///< share of scenes with many of one class and nothing else
constexpr int kLeastCrowd = 8, kMostCrowd = 20;
constexpr double kMarkets = 0.06; ///< share of training scenes with many of many classes
constexpr double kColourless = 0.12, kRepainted = 0.25; ///< shares of training objects
constexpr double kSmallestSide = 16; ///< pixels, long side of an object
constexpr double kLargestSide = 1.2; ///< of the frame's short side
constexpr double kLeastInFrame = 0.45; ///< of an object's pixels
constexpr double kLeastVisible = 0.45; ///< of what it shows in the frame, after all others
constexpr std::int64_t kLeastPixels = 40;

/// A scene while it grows.
struct Table {
    cv::Mat pixels; ///< CV_8UC3 RGB
    cv::Mat labels; ///< CV_8U: 0 nothing, else 1 + index into objects
    std::vector<SceneObject> objects; ///< masks are filled at the end
    std::vector<std::int64_t> placed; ///< pixels each object showed when it was put down
    std::vector<std::int64_t> visible; ///< pixels each object shows now
};

/// What several objects of a scene have in common.
struct Group {
    int classIndex = 0;
    int count = 1;
    double side = 0; ///< typical long side
};

class Composition {
public:
    Composition(const SpriteLibrary& library, SceneSet set, cv::Size size, std::uint64_t seed)
        : m_library(library)
        , m_set(set)
        , m_size(size)
        , m_random(mixSeed(seed, 1 + static_cast<std::uint64_t>(set))) { }

    Scene run() {
        m_table.pixels = makeBackdrop(m_size, m_library.backgrounds(m_set), m_random);
        m_table.labels = cv::Mat(m_size, CV_8U, cv::Scalar(0));
        if (m_random.chance(kCrowds))
            placeGroup(crowd());
        else if (m_set == SceneSet::Training && m_random.chance(kMarkets))
            placeMarket();
        const int wanted = m_table.objects.empty() ? objectCount() : 0;
        while (static_cast<int>(m_table.objects.size()) < wanted && m_failures < 4)
            placeGroup(nextGroup(wanted - static_cast<int>(m_table.objects.size()), wanted));
        weather();
        return finish();
    }

private:
    int objectCount() {
        static constexpr std::array<double, kMostObjects> kShare{
            0.14, 0.20, 0.20, 0.17, 0.13, 0.09, 0.07};
        double rest = m_random.real();
        for (int i = 0; i < kMostObjects; ++i)
            if ((rest -= kShare[static_cast<std::size_t>(i)]) < 0)
                return i + 1;
        return kMostObjects;
    }

    Group crowd() {
        const double frame = std::min(m_size.width, m_size.height);
        Group group;
        group.classIndex = m_random.below(m_library.classes().background());
        group.count = m_random.between(kLeastCrowd, kMostCrowd);
        group.side = m_random.real(0.1, 0.18) * frame;
        return group;
    }

    /// Small objects of all classes: what long answers are learnt from.
    void placeMarket() {
        const double frame = std::min(m_size.width, m_size.height);
        for (int rest = m_random.between(kLeastCrowd, kMostCrowd); rest > 0; --rest)
            placeGroup({m_random.below(m_library.classes().background()), 1,
                m_random.real(0.14, 0.28) * frame});
    }

    Group nextGroup(int most, int wanted) {
        const int background = m_library.classes().background();
        Group group;
        if (m_random.chance(0.25) && wanted > 1)
            group.classIndex = m_library.classes().unknown();
        else
            group.classIndex = m_random.below(background);
        if (group.classIndex < background && m_random.chance(0.4))
            group.count = std::min(most, m_random.between(2, 5));
        const double frame = std::min(m_size.width, m_size.height);
        const double top = std::min(kLargestSide, 1.9 / std::sqrt(double(wanted)) - 0.25) * frame;
        const double low = 0.2 * frame;
        group.side = m_random.chance(0.15)
            ? m_random.logReal(kSmallestSide, std::max(kSmallestSide, 1.4 * low))
            : m_random.logReal(std::max(kSmallestSide, low), std::max(top, low));
        return group;
    }

    void placeGroup(const Group& group) {
        const bool alike = group.count > 1 && m_random.chance(0.5);
        Picture picture = choose(group.classIndex);
        for (int i = 0; i < group.count; ++i) {
            if (i > 0 && !alike)
                picture = choose(group.classIndex);
            if (!place(picture, group))
                ++m_failures;
        }
    }

    /// A sprite of the library, or one that was just drawn.
    struct Picture {
        const Sprite* kept = nullptr;
        std::shared_ptr<const Sprite> drawn;
        const Sprite& sprite() const { return drawn ? *drawn : *kept; }
    };

    Picture choose(int classIndex) {
        Picture picture;
        if (classIndex == m_library.classes().unknown()) {
            if (m_random.chance(0.4))
                picture.kept = &m_random.pick(m_library.nameless(m_set));
            else
                picture.drawn = std::make_shared<const Sprite>(
                    drawBlob(m_random.pick(m_library.backgrounds(m_set)), m_random));
            return picture;
        }
        const std::string& drawing = m_library.classes().at(classIndex).drawn;
        const auto& sprites = m_library.sprites(classIndex, m_set);
        const bool draws = !drawing.empty() && m_set != SceneSet::UnseenSprites;
        if (draws && (sprites.empty() || m_random.chance(0.35)))
            picture.drawn = std::make_shared<const Sprite>(drawObject(drawing, m_random));
        else
            picture.kept = &m_random.pick(sprites);
        return picture;
    }

    bool place(const Picture& picture, const Group& group) {
        const bool named = group.classIndex < m_library.classes().background();
        for (int attempt = 0; attempt < 12; ++attempt) {
            Pose pose;
            const double shrink = attempt < 6 ? 1 : 0.7;
            pose.side = std::max(kSmallestSide, shrink * group.side * m_random.real(0.8, 1.25));
            pose.turn = m_random.chance(named ? 0.15 : 0.6) ? m_random.real(-3.14159, 3.14159)
                                                            : 0.2 * m_random.normal();
            pose.mirrored = m_random.chance(0.5);
            pose.middle = {m_random.real(0, m_size.width), m_random.real(0, m_size.height)};
            if (m_set == SceneSet::Training)
                distort(pose);
            Layer layer = layOut(picture.sprite(), pose, m_size);
            if (!fits(layer, pose))
                continue;
            put(layer, group.classIndex);
            return true;
        }
        return false;
    }

    /// A sprite as another hand would have drawn it; there are only some ten of each class.
    void distort(Pose& pose) {
        pose.stretch = std::clamp(std::exp(0.15 * m_random.normal()), 0.7, 1.4);
        pose.shear = std::clamp(0.12 * m_random.normal(), -0.3, 0.3);
    }

    void paint(cv::Mat& pixels, bool named) {
        double strength = named ? 1 : 2;
        if (m_set == SceneSet::Training) {
            if (m_random.chance(kColourless))
                takeColour(pixels);
            else if (m_random.chance(kRepainted))
                strength = 3;
        }
        jitterColour(pixels, strength, m_random);
    }

    bool fits(const Layer& layer, const Pose& pose) const {
        const bool huge = pose.side > std::min(m_size.width, m_size.height);
        if (layer.visible < kLeastPixels
            || double(layer.visible) < (huge ? 0.3 : kLeastInFrame) * double(layer.full))
            return false;
        std::vector<std::int64_t> left = m_table.visible;
        for (int y = 0; y < layer.where.height; ++y) {
            const auto* pixels = layer.pixels.ptr<cv::Vec4b>(y);
            const auto* marks = m_table.labels.ptr<std::uint8_t>(layer.where.y + y) + layer.where.x;
            for (int x = 0; x < layer.where.width; ++x)
                if (marks[x] != 0 && pixels[x][3] >= 128)
                    --left[marks[x] - 1U];
        }
        for (std::size_t i = 0; i < left.size(); ++i)
            if (left[i] < kLeastPixels
                || double(left[i]) < kLeastVisible * double(m_table.placed[i]))
                return false;
        return true;
    }

    void put(Layer& layer, int classIndex) {
        paint(layer.pixels, classIndex < m_library.classes().background());
        if (m_random.chance(0.3))
            dropShadow(m_table.pixels, layer, m_random);
        SceneObject object;
        object.classIndex = classIndex;
        object.colour = colourOf(layer.pixels);
        object.fullArea = layer.full;
        object.seen = m_set != SceneSet::UnseenSprites;
        m_table.objects.push_back(std::move(object));
        const auto label = static_cast<std::uint8_t>(m_table.objects.size());
        paste(m_table.pixels, m_table.labels, layer, label);
        m_table.placed.push_back(layer.visible);
        m_table.visible.assign(m_table.objects.size(), 0);
        for (int y = 0; y < m_size.height; ++y) {
            const auto* marks = m_table.labels.ptr<std::uint8_t>(y);
            for (int x = 0; x < m_size.width; ++x)
                if (marks[x] != 0)
                    ++m_table.visible[marks[x] - 1U];
        }
    }

    /// Light, blur and noise over the whole picture.
    void weather() {
        cv::Mat& pixels = m_table.pixels;
        if (m_random.chance(0.4))
            pixels.convertTo(pixels, -1, m_random.real(0.75, 1.2), m_random.real(-20, 20));
        if (m_random.chance(0.2))
            cv::GaussianBlur(pixels, pixels, {5, 5}, m_random.real(0.4, 1.0));
        if (!m_random.chance(0.35))
            return;
        const int reach = m_random.between(3, 16);
        for (int y = 0; y < pixels.rows; ++y) {
            auto* row = pixels.ptr<std::uint8_t>(y);
            for (int i = 0; i < 3 * pixels.cols; i += 4) {
                // four values of noise, each the sum of two bytes, out of one draw
                std::uint64_t bits = m_random.next();
                for (int k = i; k < std::min(i + 4, 3 * pixels.cols); ++k, bits >>= 16) {
                    const int noise
                        = static_cast<int>(bits & 255) + static_cast<int>((bits >> 8) & 255) - 255;
                    row[k] = cv::saturate_cast<std::uint8_t>(row[k] + noise * reach / 255);
                }
            }
        }
    }

    Scene finish() {
        Scene scene;
        scene.image.width = m_size.width;
        scene.image.height = m_size.height;
        const cv::Mat pixels
            = m_table.pixels.isContinuous() ? m_table.pixels : m_table.pixels.clone();
        scene.image.rgb.assign(pixels.datastart, pixels.dataend);
        scene.objects = std::move(m_table.objects);
        for (std::size_t i = 0; i < scene.objects.size(); ++i)
            fillMask(scene.objects[i], static_cast<std::uint8_t>(i + 1));
        scene.patchClasses = patchClasses(scene);
        return scene;
    }

    void fillMask(SceneObject& object, std::uint8_t label) const {
        const cv::Mat mask = (m_table.labels == label) / 255;
        object.mask.assign(mask.datastart, mask.dataend);
        object.area = cv::countNonZero(mask);
        const cv::Rect box = cv::boundingRect(mask);
        object.bbox = {box.x, box.y, box.width, box.height};
    }

    std::vector<std::int16_t> patchClasses(const Scene& scene) const {
        const ClassList& classes = m_library.classes();
        std::vector<std::int16_t> patches;
        for (int top = 0; top < m_size.height; top += Scene::kPatch)
            for (int left = 0; left < m_size.width; left += Scene::kPatch) {
                std::vector<int> votes(static_cast<std::size_t>(classes.total()), 0);
                for (int y = top; y < top + Scene::kPatch; ++y)
                    for (int x = left; x < left + Scene::kPatch; ++x) {
                        const int label = m_table.labels.at<std::uint8_t>(y, x);
                        const int kind = label == 0
                            ? classes.background()
                            : scene.objects[static_cast<std::size_t>(label - 1)].classIndex;
                        ++votes[static_cast<std::size_t>(kind)];
                    }
                const auto most = std::max_element(votes.begin(), votes.end());
                patches.push_back(static_cast<std::int16_t>(most - votes.begin()));
            }
        return patches;
    }

    const SpriteLibrary& m_library;
    SceneSet m_set;
    cv::Size m_size;
    RandomStream m_random;
    Table m_table;
    int m_failures = 0;
};

} // namespace

SceneComposer::SceneComposer(std::shared_ptr<const SpriteLibrary> library)
    : m_library(std::move(library)) { }

Scene SceneComposer::compose(SceneSet set, std::uint64_t seed, int width, int height) const {
    if (width < 64 || height < 64 || width % 32 != 0 || height % 32 != 0)
        throw Failure(ErrorKind::Usage,
            "A scene of " + std::to_string(width) + " × " + std::to_string(height)
                + " cannot be composed; sides must be multiples of 32, at least 64.");
    return Composition(*m_library, set, {width, height}, seed).run();
}

} // namespace maskscope
