// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/event.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

class JsonField;

/// Turns the lines that jsonOf(Event) gave back into events, one run after the other: a child
/// process's output, or a file that nobody vouches for.
class EventReader {
public:
    /// `what` begins the sentences about lines that cannot be read, the next being `firstLine`.
    explicit EventReader(std::string what, std::int64_t firstLine = 1)
        : m_what(std::move(what))
        , m_line(firstLine - 1) { }

    /// The event of the next line; nothing for an empty line and for events of other kinds. Events
    /// get the number `request`. Throws Failure(Input) when the line is not JSON, and names a field
    /// that it lacks or that is of another kind.
    std::optional<Event> read(std::string_view line, std::uint64_t request = 0);

private:
    std::optional<EventPayload> payloadFrom(const JsonField& json);
    std::shared_ptr<const Mask> maskFrom(const JsonField& json);
    std::shared_ptr<const Report> reportFrom(const JsonField& json);

    std::string m_what;
    std::int64_t m_line;
    std::vector<std::shared_ptr<const Mask>> m_masks; ///< of the run so far
    std::int64_t m_maskPixels = 0; ///< of the run so far
};

} // namespace maskscope
