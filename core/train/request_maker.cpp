// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/request_maker.h"

#include "core/train/random_stream.h"
#include "core/train/wording.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>

namespace maskscope {

namespace {

constexpr std::string_view kMask = " : <|mask|>";
constexpr std::uint64_t kRequestStream = 77;

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

enum class Number { Singular, Plural };

const std::string& wordOf(const ObjectClass& kind, Number number) {
    return number == Number::Singular ? kind.singular : kind.plural;
}

void putClass(std::string& text, const ObjectClass& kind, Number number) {
    replaceAll(text, "{s}", kind.singular);
    replaceAll(text, "{p}", kind.plural);
    replaceAll(text, "{a}", withArticle(kind.singular));
    replaceAll(text, "{n}", wordOf(kind, number));
}

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
    Maker(const Scene& scene, const ClassList& classes, std::uint64_t seed)
        : m_scene(scene)
        , m_classes(classes)
        , m_random(mixSeed(seed, kRequestStream)) {
        for (int index = 0; index < classes.size(); ++index)
            (scene.countOf(index) > 0 ? m_present : m_missing).push_back(index);
    }

    SceneRequest make() {
        const double kind = m_random.real();
        if (m_missing.empty()) // a balance of present and missing is out of reach
            return all();
        if (m_present.empty())
            return kind < 0.5 ? count() : all();
        if (kind < 0.45)
            return m_random.chance(0.5) ? one() : absent();
        if (kind < 0.65)
            return count();
        return kind < 0.85 ? two() : all();
    }

private:
    const ObjectClass& at(int index) const { return m_classes.at(index); }

    Number trueNumber(int index) const {
        return m_scene.countOf(index) > 1 ? Number::Plural : Number::Singular;
    }

    /// The number a person uses: mostly the right one, so that the answer's has to be looked up.
    Number saidNumber(int index) {
        if (m_scene.countOf(index) > 0 && m_random.chance(0.8))
            return trueNumber(index);
        return m_random.chance(0.65) ? Number::Singular : Number::Plural;
    }

    void sayMask(SceneRequest& request, const std::string& words, int index) const {
        request.answer += words;
        request.answer += kMask;
        MaskTarget target;
        target.classIndex = index;
        for (std::size_t i = 0; i < m_scene.objects.size(); ++i)
            if (m_scene.objects[i].classIndex == index)
                target.objects.push_back(static_cast<int>(i));
        request.masks.push_back(std::move(target));
    }

    void sayClass(SceneRequest& request, int index) const {
        if (!request.answer.empty())
            request.answer += " , ";
        if (m_scene.countOf(index) > 0)
            sayMask(request, "the " + wordOf(at(index), trueNumber(index)), index);
        else
            request.answer += "there is no " + at(index).singular;
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
        sayClass(request, index);
        return request;
    }

    SceneRequest one() { return oneClass(RequestKind::One, m_random.pick(m_present)); }
    SceneRequest absent() { return oneClass(RequestKind::Absent, m_random.pick(m_missing)); }

    SceneRequest count() {
        const bool zero = m_present.empty() || m_random.chance(0.3);
        const int index = m_random.pick(zero ? m_missing : m_present);
        SceneRequest request;
        request.kind = RequestKind::Count;
        request.text = wording(request, kCountWordings);
        putClass(request.text, at(index), Number::Plural);
        request.text = typed(std::move(request.text), m_random);
        request.askedClasses = {index};
        const int found = m_scene.countOf(index);
        if (found == 0)
            sayClass(request, index);
        else
            sayMask(request,
                (found == 1 ? "there is " : "there are ") + numberWord(found) + " "
                    + wordOf(at(index), trueNumber(index)),
                index);
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

    /// From left to right, by the middle of the first object of each class.
    SceneRequest all() {
        SceneRequest request;
        request.kind = RequestKind::All;
        request.text = typed(wording(request, kAllWordings), m_random);
        std::vector<std::pair<int, int>> order;
        for (const int index : m_present) {
            int leftmost = 2 * m_scene.image.width;
            for (const SceneObject& object : m_scene.objects)
                if (object.classIndex == index)
                    leftmost = std::min(leftmost, 2 * object.bbox[0] + object.bbox[2]);
            order.emplace_back(leftmost, index);
        }
        std::sort(order.begin(), order.end());
        for (const auto& [middle, index] : order)
            sayClass(request, index);
        if (order.empty())
            request.answer = kNothingKnown;
        return request;
    }

    const Scene& m_scene;
    const ClassList& m_classes;
    RandomStream m_random;
    std::vector<int> m_present;
    std::vector<int> m_missing;
};

} // namespace

std::string_view nameOf(RequestKind kind) {
    switch (kind) {
    case RequestKind::One:
        return "one";
    case RequestKind::Absent:
        return "absent";
    case RequestKind::Count:
        return "count";
    case RequestKind::Two:
        return "two";
    case RequestKind::All:
        return "all";
    }
    return "";
}

std::vector<SceneRequest> makeRequests(
    const Scene& scene, const ClassList& classes, std::uint64_t seed, int count) {
    Maker maker(scene, classes, seed);
    std::vector<SceneRequest> requests;
    requests.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        requests.push_back(maker.make());
    return requests;
}

std::vector<std::string> tokenizerCorpus(const ClassList& classes) {
    std::vector<std::string> lines;
    const auto add = [&lines](std::string text) {
        lines.push_back(text);
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
        lines.push_back(text);
        lines.push_back(text + ".");
    };
    for (const ObjectClass& kind : classes.all()) {
        for (const Number number : {Number::Singular, Number::Plural})
            for (const auto wordings : {std::span<const std::string_view>(kOneWordings),
                     std::span<const std::string_view>(kCountWordings),
                     std::span<const std::string_view>(kTwoWordings)})
                for (const std::string_view wording : wordings) {
                    std::string text(wording);
                    replaceAll(text, "{n2}", wordOf(kind, number));
                    putClass(text, kind, number);
                    add(text);
                }
        for (int found = 2; found <= 10; ++found)
            lines.push_back("there are " + numberWord(found) + " " + kind.plural + " :");
        lines.push_back("there is one " + kind.singular + " :");
        lines.push_back("there is no " + kind.singular);
        lines.push_back("the " + kind.singular + " : , the " + kind.plural + " :");
        for (int i = 0; i < 20; ++i) // as often as the English words, for whole tokens
            lines.insert(lines.end(), {"이 사진에서 " + kind.korean + " 찾아 줘", kind.korean});
    }
    for (const std::string_view wording : kAllWordings)
        add(std::string(wording));
    lines.emplace_back(kNothingKnown);
    for (int i = 0; i < 100; ++i)
        lines.insert(lines.end(), kFurtherWords.begin(), kFurtherWords.end());
    return lines;
}

} // namespace maskscope
