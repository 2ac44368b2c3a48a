// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"
#include "core/image/image_reader.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace maskscope::test {

inline const std::filesystem::path kResources = MASKSCOPE_RESOURCES;

/// A sample of resources/examples.
struct Sample {
    std::shared_ptr<const Image> image;
    std::string request;
};

inline Sample sample(std::size_t index) {
    std::ifstream file(kResources / "examples/index.json");
    const auto entry = nlohmann::json::parse(file).at(index);
    const auto path = kResources / "examples" / entry.at("image").get<std::string>();
    return {std::make_shared<const Image>(readImage(path)), entry.at("request")};
}

inline Request requestFor(const Sample& sample) {
    static std::uint64_t number = 0;
    Request request;
    request.number = ++number;
    request.images = {sample.image};
    request.text = sample.request;
    return request;
}

/// One engine for all cases: loading is what takes time.
class EngineTest : public testing::Test {
protected:
    static Engine& engine() {
        static const std::unique_ptr<Engine> engine = [] {
            EngineOptions options;
            options.model = kResources / "models/lens-small";
            return Engine::create(options).value();
        }();
        return *engine;
    }

    std::shared_ptr<const Report> run(const Request& request) {
        m_events.clear();
        return engine().run(request, [this](const Event& e) { m_events.push_back(e); }).value();
    }

    template <class Payload>
    std::vector<Payload> all() const {
        std::vector<Payload> found;
        for (const Event& event : m_events)
            if (const auto* payload = std::get_if<Payload>(&event.payload))
                found.push_back(*payload);
        return found;
    }

    std::vector<Event> m_events;
};

} // namespace maskscope::test
