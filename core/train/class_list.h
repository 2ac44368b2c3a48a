// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace maskscope {

/// Pictures of the source folder, those for training apart from those that are never trained on.
struct PictureList {
    std::vector<std::string> sprites;
    std::vector<std::string> heldOut;
};

/// One kind of object that has a name.
struct ObjectClass {
    std::string singular; ///< "cat"
    std::string plural; ///< "cats"
    std::string korean; ///< "고양이"
    std::vector<int> imageNet; ///< ids of the ImageNet-1k classes that mean it; may be empty
    PictureList pictures;
    std::string drawn; ///< name of its drawing (see drawing.h); empty without
};

/// What several classes have in common: "animal".
struct ObjectKind {
    std::string singular; ///< in "there is no animal"
    std::vector<std::string> asks; ///< ways to ask for it: "an animal", "what flies"
    std::vector<int> classes; ///< class indices
};

/// The classes of resources/models/classes.json, in its order: the class index everywhere. Behind
/// the K named classes come two without words: background() and unknown(). Immutable.
class ClassList {
public:
    /// Failure(Input) names the file and the entry that is missing, doubled or of the wrong type.
    static ClassList load(const std::filesystem::path& file);

    int size() const { return static_cast<int>(m_classes.size()); } ///< K
    int background() const { return size(); }
    int unknown() const { return size() + 1; }
    int total() const { return size() + 2; } ///< width of every class head

    const ObjectClass& at(int index) const { return m_classes.at(static_cast<std::size_t>(index)); }
    const std::vector<ObjectClass>& all() const { return m_classes; }
    int indexOf(const std::string& singular) const; ///< −1 when there is none

    const std::vector<ObjectKind>& kinds() const { return m_kinds; }
    const PictureList& nameless() const { return m_nameless; } ///< objects of the class unknown()
    const PictureList& backgrounds() const { return m_backgrounds; }

private:
    ObjectKind readKind(const nlohmann::json& entry, const std::string& file) const;

    std::vector<ObjectClass> m_classes;
    std::vector<ObjectKind> m_kinds;
    PictureList m_nameless;
    PictureList m_backgrounds;
};

} // namespace maskscope
