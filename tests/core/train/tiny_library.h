// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/sprite_library.h"

#include "tests/temporary_folder.h"

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include <memory>
#include <string>

namespace maskscope::test {

/// A class list of four kinds with sprites made here, so that tests need no fetched pictures.
/// "disc" has two training sprites, "heart" is drawn as well, "wolf" has an odd plural and "apple"
/// needs "an".
inline std::shared_ptr<const SpriteLibrary> tinyLibrary() {
    const TemporaryFolder folder;
    const auto sprite = [&folder](const std::string& name, cv::Scalar bgr, bool round) {
        cv::Mat picture(80, 80, CV_8UC4, cv::Scalar(0, 0, 0, 0));
        bgr[3] = 255;
        if (round)
            cv::circle(picture, {40, 40}, 39, bgr, cv::FILLED);
        else
            picture.setTo(bgr);
        cv::imwrite((folder.path() / (name + ".png")).string(), picture);
    };
    sprite("disc1", {0, 0, 255}, true);
    sprite("disc2", {0, 255, 0}, true);
    sprite("disc3", {255, 0, 0}, true);
    sprite("wolf1", {80, 80, 80}, false);
    sprite("wolf2", {20, 20, 20}, false);
    sprite("heart1", {90, 0, 255}, false);
    sprite("apple1", {0, 200, 200}, true);
    sprite("apple2", {0, 250, 90}, true);
    sprite("thing1", {255, 255, 0}, false);
    sprite("thing2", {200, 0, 200}, true);
    for (const std::string name : {"meadow", "sea"}) {
        cv::Mat picture(120, 200, CV_8UC3);
        cv::RNG noise(name == "sea" ? 1 : 2);
        noise.fill(picture, cv::RNG::UNIFORM, 0, 256);
        cv::imwrite((folder.path() / (name + ".png")).string(), picture);
    }
    const auto list = folder.write("classes.json", R"({
      "classes": [
        {"singular": "disc", "plural": "discs", "korean": "원반", "imagenet": [1],
         "sprites": ["disc1", "disc2"], "held_out": ["disc3"]},
        {"singular": "wolf", "plural": "wolves", "korean": "늑대", "imagenet": [],
         "sprites": ["wolf1"], "held_out": ["wolf2"]},
        {"singular": "heart", "plural": "hearts", "korean": "하트", "imagenet": [],
         "drawn": "heart", "sprites": [], "held_out": ["heart1"]},
        {"singular": "apple", "plural": "apples", "korean": "사과", "imagenet": [948],
         "sprites": ["apple1"], "held_out": ["apple2"]}],
      "nameless": {"sprites": ["thing1"], "held_out": ["thing2"]},
      "backgrounds": {"sprites": ["meadow"], "held_out": ["sea"]}})");
    return SpriteLibrary::load(folder.path(), ClassList::load(list));
}

} // namespace maskscope::test
