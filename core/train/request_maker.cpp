// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/request_maker.h"

#include "core/train/random_stream.h"
#include "core/train/scene_order.h"
#include "core/train/wording.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <optional>
#include <span>
#include <utility>

namespace maskscope {

namespace {

constexpr std::uint64_t kRequestStream = 77;
constexpr double kTaughtAll = 0.09, kTaughtKinds = 0.05; ///< shares that Taught adds
constexpr double kClearlyLarger = 1.4; ///< area of the largest over that of the next
constexpr double kClearlyApart = 0.12; ///< of the picture's side, between first and next

/// The way people type: sometimes a capital letter, a full stop, no question mark.
std::string typed(std::string text, RandomStream& random) {
    if (random.chance(0.25))
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    if (text.back() == '?' && random.chance(0.15))
        text.pop_back();
    else if (text.back() != '?' && random.chance(0.15))
        text += '.';
    return text;
}

class Maker {
public:
    Maker(const Scene& scene, const ClassList& classes, std::uint64_t seed, RequestMix mix)
        : m_scene(scene)
        , m_classes(classes)
        , m_mix(mix)
        , m_random(mixSeed(seed, kRequestStream)) {
        for (int index = 0; index < classes.size(); ++index)
            (scene.countOf(index) > 0 ? m_present : m_missing).push_back(index);
    }

    SceneRequest make() {
        if (m_mix == RequestMix::Taught) {
            const double added = m_random.real();
            if (added < kTaughtAll)
                return all();
            if (added < kTaughtAll + kTaughtKinds && !m_classes.kinds().empty())
                return ofKind();
        }
        const double kind = m_random.real();
        if (kind >= 0.93)
            return strange();
        if (m_missing.empty()) // a balance of present and missing is out of reach
            return all();
        if (m_present.empty())
            return kind < 0.5 ? count() : all();
        if (kind < 0.31)
            return m_random.chance(0.5) ? one() : absent();
        if (kind < 0.46)
            return count();
        if (kind < 0.57)
            return two();
        if (kind < 0.66)
            return all();
        if (kind < 0.80)
            return told(kind);
        return kind < 0.87 && !m_classes.kinds().empty() ? ofKind() : korean();
    }

private:
    using Objects = std::vector<int>;

    const ObjectClass& at(int index) const { return m_classes.at(index); }
    const SceneObject& object(int index) const {
        return m_scene.objects[static_cast<std::size_t>(index)];
    }

    static Number numberOf(std::size_t count) {
        return count > 1 ? Number::Plural : Number::Singular;
    }

    /// The number a person uses: mostly the right one, so that the answer's has to be looked up.
    Number saidNumber(int index) {
        const int count = m_scene.countOf(index);
        if (count > 0 && m_random.chance(0.8))
            return numberOf(static_cast<std::size_t>(count));
        return m_random.chance(0.65) ? Number::Singular : Number::Plural;
    }

    static void say(SceneRequest& request, const std::string& words) {
        if (!request.answer.empty())
            request.answer += " , ";
        request.answer += words;
    }

    /// "words : <|mask|><|mask|>", one for each object.
    static void sayMasks(
        SceneRequest& request, const std::string& words, int classIndex, const Objects& objects) {
        say(request, words + " : ");
        const bool together = objects.size() > kMostSingleMasks;
        for (std::size_t i = 0; i < (together ? 1 : objects.size()); ++i) {
            request.answer += "<|mask|>";
            request.masks.push_back(
                {classIndex, together ? objects : Objects{objects[i]}, objects});
        }
    }

    void sayClass(SceneRequest& request, int index) const {
        const Objects objects = objectsOf(m_scene, index);
        if (objects.empty())
            say(request, "there is no " + at(index).singular);
        else
            sayMasks(request, "the " + wordOf(at(index), numberOf(objects.size())), index, objects);
    }

    template <std::size_t N>
    std::string wording(SceneRequest& request, const std::array<std::string_view, N>& wordings) {
        request.wording = m_random.below(static_cast<int>(N));
        return std::string(wordings[static_cast<std::size_t>(request.wording)]);
    }

    SceneRequest oneClass(RequestKind kind, int index) {
        SceneRequest request;
        request.kind = kind;
        request.text = wording(request, kOneWordings);
        putClass(request.text, at(index), saidNumber(index));
        request.text = typed(std::move(request.text), m_random);
        request.askedClasses = {index};
        request.missing = kind == RequestKind::Absent;
        sayClass(request, index);
        return request;
    }

    SceneRequest one() { return oneClass(RequestKind::One, m_random.pick(m_present)); }
    SceneRequest absent() { return oneClass(RequestKind::Absent, m_random.pick(m_missing)); }

    SceneRequest count() {
        const bool zero = m_present.empty() || m_random.chance(0.4);
        const int index = m_random.pick(zero ? m_missing : m_present);
        SceneRequest request;
        request.kind = RequestKind::Count;
        request.text = wording(request, kCountWordings);
        putClass(request.text, at(index), Number::Plural);
        request.text = typed(std::move(request.text), m_random);
        request.askedClasses = {index};
        request.missing = zero;
        const Objects objects = objectsOf(m_scene, index);
        const std::string number = objects.size() > kMostSingleMasks
            ? "many"
            : numberWord(static_cast<int>(objects.size()));
        if (objects.empty())
            sayClass(request, index);
        else
            sayMasks(request,
                (objects.size() == 1 ? "there is " : "there are ") + number + " "
                    + wordOf(at(index), numberOf(objects.size())),
                index, objects);
        return request;
    }

    SceneRequest two() {
        int first = m_random.pick(m_present);
        int second = m_random.pick(m_missing);
        if (m_present.size() > 1 && m_random.chance(0.6))
            do
                second = m_random.pick(m_present);
            while (second == first);
        if (m_random.chance(0.5))
            std::swap(first, second);
        SceneRequest request;
        request.kind = RequestKind::Two;
        request.text = wording(request, kTwoWordings);
        replaceAll(request.text, "{n2}", wordOf(at(second), saidNumber(second)));
        putClass(request.text, at(first), saidNumber(first));
        request.text = typed(std::move(request.text), m_random);
        request.askedClasses = {first, second};
        sayClass(request, first);
        sayClass(request, second);
        return request;
    }

    /// The classes of `indices` that are there, by their first objects from left to right.
    void sayClasses(SceneRequest& request, const std::vector<int>& indices) const {
        Objects firsts;
        for (const int index : indices)
            if (const Objects objects = objectsOf(m_scene, index); !objects.empty())
                firsts.push_back(objects.front());
        for (const int first : fromLeft(m_scene, std::move(firsts)))
            sayClass(request, object(first).classIndex);
    }

    SceneRequest all() {
        SceneRequest request;
        request.kind = RequestKind::All;
        request.text = typed(wording(request, kAllWordings), m_random);
        sayClasses(request, m_present);
        if (request.answer.empty())
            request.answer = kNothingKnown;
        return request;
    }

    SceneRequest ofKind() {
        const ObjectKind& kind = pickKind();
        SceneRequest request;
        request.kind = RequestKind::Kind;
        request.text = wording(request, kKindWordings);
        replaceAll(request.text, "{a}", m_random.pick(kind.asks));
        request.text = typed(std::move(request.text), m_random);
        sayClasses(request, kind.classes);
        request.missing = request.answer.empty();
        if (request.missing)
            request.answer = "there is no " + kind.singular;
        return request;
    }

    /// As often one that is there as one that is not: most kinds have few classes.
    const ObjectKind& pickKind() {
        std::vector<const ObjectKind*> there, missing;
        for (const auto& kind : m_classes.kinds()) {
            const bool found = std::ranges::any_of(
                kind.classes, [this](int index) { return m_scene.countOf(index) > 0; });
            (found ? there : missing).push_back(&kind);
        }
        if (there.empty() || (!missing.empty() && m_random.chance(0.5)))
            return *m_random.pick(missing);
        return *m_random.pick(there);
    }

    SceneRequest korean() {
        const bool missing = m_random.chance(0.5);
        const int index = m_random.pick(missing ? m_missing : m_present);
        SceneRequest request;
        request.kind = RequestKind::Korean;
        request.text = wording(request, kKoreanWordings);
        replaceAll(request.text, "{k}", at(index).korean);
        request.askedClasses = {index};
        request.missing = missing;
        if (missing)
            say(request, at(index).korean + " 없습니다");
        else
            sayMasks(request, at(index).korean, index, objectsOf(m_scene, index));
        return request;
    }

    SceneRequest strange() {
        const std::string word = strangeWord(m_random);
        SceneRequest request;
        request.kind = RequestKind::Strange;
        request.text = wording(request, kStrangeWordings);
        replaceAll(request.text, "{w}", word);
        request.text = typed(std::move(request.text), m_random);
        request.missing = true;
        request.answer = "i do not know " + word + " ; click it instead";
        return request;
    }

    /// By what tells one object from the others of its class, if this scene has such; else one
    /// class as elsewhere.
    SceneRequest told(double kind) {
        const int index = m_random.pick(m_present);
        const Objects objects = objectsOf(m_scene, index);
        std::optional<SceneRequest> request;
        if (kind < 0.725)
            request = byColour(index, objects);
        else if (kind < 0.765)
            request = bySize(index, objects);
        else
            request = byPlace(index, objects);
        if (request)
            return std::move(*request);
        return m_random.chance(0.5) ? oneClass(RequestKind::One, index) : absent();
    }

    SceneRequest toldBy(RequestKind kind, std::string_view detail, std::string text, int index,
        const Objects& objects) {
        const Number number = objects.empty() ? saidNumber(index) : numberOf(objects.size());
        SceneRequest request;
        request.kind = kind;
        replaceAll(text, "{d}", detail);
        putClass(text, at(index), number);
        request.text = typed(std::move(text), m_random);
        request.askedClasses = {index};
        request.missing = objects.empty();
        const std::string words = std::string(detail) + " " + wordOf(at(index), number);
        if (objects.empty())
            say(request, "there is no " + std::string(detail) + " " + at(index).singular);
        else
            sayMasks(request, "the " + words, index, objects);
        return request;
    }

    std::optional<SceneRequest> byColour(int index, const Objects& objects) {
        const auto colour = [this](int i) { return object(i).colour; };
        if (std::ranges::any_of(objects, [&](int i) { return colour(i) == ObjectColour::Mixed; }))
            return std::nullopt;
        ObjectColour asked = colour(m_random.pick(objects));
        if (m_random.chance(0.35))
            asked = static_cast<ObjectColour>(m_random.between(1, kColours));
        Objects meant;
        std::ranges::copy_if(
            objects, std::back_inserter(meant), [&](int i) { return colour(i) == asked; });
        SceneRequest scratch;
        return toldBy(
            RequestKind::Colour, nameOf(asked), wording(scratch, kToldWordings), index, meant);
    }

    std::optional<SceneRequest> bySize(int index, const Objects& objects) {
        const bool largest = m_random.chance(0.65);
        const auto size = [&](int i) {
            return largest ? double(object(i).area) : 1.0 / double(object(i).area);
        };
        const auto first = clearlyFirst(objects, size, kClearlyLarger, std::divides{});
        if (!first)
            return std::nullopt;
        const std::string_view word
            = largest ? (m_random.chance(0.5) ? "largest" : "biggest") : "smallest";
        SceneRequest scratch;
        return toldBy(RequestKind::Size, word, wording(scratch, kToldWordings), index, {*first});
    }

    std::optional<SceneRequest> byPlace(int index, const Objects& objects) {
        const int axis = m_random.chance(0.7) ? 0 : 1;
        const bool low = m_random.chance(0.5);
        const double side = 2.0 * (axis == 0 ? m_scene.image.width : m_scene.image.height);
        const auto place
            = [&](int i) { return (low ? -1 : 1) * doubleMiddle(object(i), axis) / side; };
        const auto first = clearlyFirst(objects, place, kClearlyApart, std::minus{});
        if (!first)
            return std::nullopt;
        SceneRequest scratch;
        if (axis == 0 && m_random.chance(0.3))
            return toldBy(RequestKind::Place, low ? "leftmost" : "rightmost",
                wording(scratch, kToldWordings), index, {*first});
        const std::string_view word
            = axis == 0 ? (low ? "left" : "right") : (low ? "top" : "bottom");
        return toldBy(RequestKind::Place, word,
            m_random.chance(0.5) ? wording(scratch, kSideWordings)
                                 : wording(scratch, kToldWordings),
            index, {*first});
    }

    const Scene& m_scene;
    const ClassList& m_classes;
    RequestMix m_mix;
    RandomStream m_random;
    std::vector<int> m_present;
    std::vector<int> m_missing;
};

} // namespace

std::string_view nameOf(RequestKind kind) {
    static constexpr std::array<std::string_view, kRequestKinds> kNames{"one", "absent", "count",
        "two", "all", "colour", "size", "place", "kind", "korean", "strange"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::vector<SceneRequest> makeRequests(
    const Scene& scene, const ClassList& classes, std::uint64_t seed, int count, RequestMix mix) {
    Maker maker(scene, classes, seed, mix);
    std::vector<SceneRequest> requests;
    requests.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        requests.push_back(maker.make());
    return requests;
}

} // namespace maskscope
