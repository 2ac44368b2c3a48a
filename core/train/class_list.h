// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace maskscope {

/// One kind of object that has a name.
struct ObjectClass {
    std::string singular; ///< "cat"
    std::string plural; ///< "cats"
    std::string korean; ///< "고양이"
    std::vector<int> imageNet; ///< ids of the ImageNet-1k classes that mean it; may be empty
    std::vector<std::string> sprites; ///< files of the source folder, seen in training
    std::vector<std::string> heldOut; ///< files of the source folder, never seen in training
    std::string drawn; ///< name of the procedural drawing; empty without
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

private:
    std::vector<ObjectClass> m_classes;
};

} // namespace maskscope
