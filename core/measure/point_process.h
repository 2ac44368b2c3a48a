// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/layer_point.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <string_view>

// A point of a sweep in a process of its own, so that its peak is its own and its death is
// survived. Both sides speak one line of JSON.
namespace maskscope {

/// The name of the hidden sub-command by which a program measures one point: its argument is what
/// pointSpecification() gives, and it prints the line that servePoint() returns.
inline constexpr std::string_view kPointCommand = "measure-point";

std::string pointSpecification(const LayerPoint& point);
nlohmann::json jsonOf(const LayerPoint& point);
LayerPoint layerPointFrom(const nlohmann::json& json);

/// Starts `program` for one point and waits. Throws what measureLayer() threw there;
/// Failure(Memory) when the system killed the process, Failure(Internal) when it ended in another
/// way without an answer; Cancelled when it was stopped.
LayerFigures measureInChild(
    const std::filesystem::path& program, const LayerPoint& point, const std::stop_token& stop);

/// The child's side: measures, never throws.
std::string servePoint(std::string_view specification);

} // namespace maskscope
