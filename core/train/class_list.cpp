// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/class_list.h"

#include "core/base/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

namespace maskscope {

namespace {

using Json = nlohmann::json;

PictureList readPictures(const Json& entry) {
    return {entry.at("sprites").get<std::vector<std::string>>(),
        entry.at("held_out").get<std::vector<std::string>>()};
}

ObjectClass readClass(const Json& entry) {
    ObjectClass kind;
    kind.singular = entry.at("singular").get<std::string>();
    kind.plural = entry.at("plural").get<std::string>();
    kind.korean = entry.at("korean").get<std::string>();
    kind.imageNet = entry.at("imagenet").get<std::vector<int>>();
    kind.pictures = readPictures(entry);
    kind.drawn = entry.value("drawn", std::string());
    return kind;
}

[[noreturn]] void refuseDouble(
    const std::string& file, const std::string& what, const std::string& name) {
    throw Failure(
        ErrorKind::Input, file + " has the " + what + " \"" + name + "\" twice; keep one.");
}

void requireDistinct(const std::vector<ObjectClass>& classes, const std::string& file) {
    std::set<std::string> words;
    std::set<std::string> pictures;
    for (const ObjectClass& kind : classes) {
        if (!words.insert(kind.singular).second)
            refuseDouble(file, "class", kind.singular);
        for (const auto* list : {&kind.pictures.sprites, &kind.pictures.heldOut})
            for (const std::string& picture : *list)
                if (!pictures.insert(picture).second)
                    refuseDouble(file, "picture", picture);
    }
}

} // namespace

ObjectKind ClassList::readKind(const nlohmann::json& entry, const std::string& file) const {
    ObjectKind kind;
    kind.singular = entry.at("singular").get<std::string>();
    kind.asks = entry.at("asks").get<std::vector<std::string>>();
    const auto names = entry.at("classes").get<std::vector<std::string>>();
    std::ranges::transform(names, std::back_inserter(kind.classes),
        [this](const auto& name) { return indexOf(name); });
    const auto missing = std::ranges::find(kind.classes, -1);
    if (missing != kind.classes.end())
        throw Failure(ErrorKind::Input,
            file + " has the kind \"" + kind.singular + "\" with the class \""
                + names[static_cast<std::size_t>(missing - kind.classes.begin())]
                + "\", which is not among its classes; add or remove it.");
    return kind;
}

ClassList ClassList::load(const std::filesystem::path& file) {
    std::ifstream stream(file);
    if (!stream)
        throw Failure(ErrorKind::Input,
            "The class list " + file.string() + " cannot be read; check the path.");
    ClassList list;
    try {
        const Json json = Json::parse(stream);
        for (const Json& entry : json.at("classes"))
            list.m_classes.push_back(readClass(entry));
        for (const Json& entry : json.value("kinds", Json::array()))
            list.m_kinds.push_back(list.readKind(entry, file.string()));
        list.m_nameless = readPictures(json.at("nameless"));
        list.m_backgrounds = readPictures(json.at("backgrounds"));
    } catch (const Json::exception& problem) {
        throw Failure(ErrorKind::Input,
            "The class list " + file.string() + " is not as expected (" + problem.what()
                + "); take the one in resources/models.");
    }
    requireDistinct(list.m_classes, file.string());
    return list;
}

int ClassList::indexOf(const std::string& singular) const {
    const auto found = std::find_if(m_classes.begin(), m_classes.end(),
        [&singular](const ObjectClass& kind) { return kind.singular == singular; });
    return found == m_classes.end() ? -1 : static_cast<int>(found - m_classes.begin());
}

} // namespace maskscope
