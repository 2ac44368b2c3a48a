// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/class_list.h"
#include "core/train/scene.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

/// What one <|mask|> of an answer stands for: one object, or all that are meant when they are many.
struct MaskTarget {
    int classIndex = 0;
    std::vector<int> objects; ///< indices into Scene::objects, never empty (see Scene::unionOf)
    std::vector<int> phrase; ///< all objects that the words before it mean, from left to right
};

enum class RequestKind {
    One, ///< one class that is there
    Absent, ///< one class that is not there, in the same wordings as One
    Count, ///< "how many …"; asks for zero as well
    Two, ///< two classes, of which one may be missing
    All, ///< every named object
    Colour, ///< objects of a class and a colour; or a colour that the class has not
    Size, ///< the largest or smallest of a class
    Place, ///< the leftmost, rightmost, highest or lowest of a class
    Kind, ///< by kind or use: "an animal", "what flies"
    Korean, ///< one class, in Korean; there or not
    Strange, ///< a word that no class has
};
inline constexpr int kRequestKinds = 11;
std::string_view nameOf(RequestKind kind); ///< "one", "absent", "count", …

/// A request about a scene with the answer that is right for it.
struct SceneRequest {
    RequestKind kind = RequestKind::One;
    std::string text; ///< what a person types
    std::string answer; ///< with "<|mask|>" where a mask belongs; without <|end|>
    std::vector<MaskTarget> masks; ///< one for each "<|mask|>" of the answer, in order
    std::vector<int> askedClasses; ///< class indices the text names; empty for All, Kind, Strange
    int wording = 0; ///< which wording of the kind's list; One and Absent share theirs
    bool missing = false; ///< what is asked for is not there
};

/// How often each kind of request comes.
enum class RequestMix {
    Asked, ///< as people ask; what a model is judged by
    Taught, ///< more of what is learnt slowly: everything there is, and kinds
};

/// `count` requests about a scene, deterministic by seed. Of one-class requests half ask for
/// something that is not there, within each wording, so that the answer cannot be copied from the
/// request.
std::vector<SceneRequest> makeRequests(const Scene& scene, const ClassList& classes,
    std::uint64_t seed, int count, RequestMix mix = RequestMix::Asked);

/// Every wording with every word, one text a line, for training the tokenizer.
std::vector<std::string> tokenizerCorpus(const ClassList& classes);

} // namespace maskscope
