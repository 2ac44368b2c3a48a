// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/request_check.h"

#include "core/base/error.h"
#include "core/generate/sampler.h"
#include "core/ring/ring_devices.h"

#include <cmath>
#include <sstream>

namespace maskscope {

namespace {

[[noreturn]] void refuse(const std::ostringstream& sentence) {
    throw Failure(ErrorKind::Usage, sentence.str());
}

bool blank(const std::string& text) {
    return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

void checkPoints(const Request& request, const Image& image) {
    bool positive = request.points.empty();
    for (const PointPrompt& point : request.points) {
        positive = positive || point.sign == PointSign::Positive;
        if (!(point.x >= 0 && point.x <= image.width && point.y >= 0 && point.y <= image.height)) {
            std::ostringstream text;
            text << "The point " << point.x << ", " << point.y
                 << " is outside of the image, which is " << image.width << " x " << image.height
                 << " pixels.";
            refuse(text);
        }
    }
    if (!positive && blank(request.text) && request.boxes.empty())
        throw Failure(ErrorKind::Usage,
            "All points are negative: add a positive one on the object, or words, or a box.");
    const bool clicked = !request.points.empty() && request.boxes.empty() && blank(request.text)
        && request.points.front().sign == PointSign::Positive;
    if (request.meaning != 0 && !clicked)
        throw Failure(ErrorKind::Usage,
            "Only a positive first point without words or a box may mean several things, but the "
            "meaning "
                + std::to_string(request.meaning) + " is asked for.");
    if (!request.points.empty() && request.boxes.size() > 1)
        throw Failure(ErrorKind::Usage,
            "Points belong to one object, but there are several boxes: use one box or no points.");
}

void checkBoxes(const Request& request, const Image& image) {
    for (const BoxPrompt& box : request.boxes) {
        const bool ordered = box.x0 < box.x1 && box.y0 < box.y1;
        const bool inside
            = box.x1 > 0 && box.y1 > 0 && box.x0 < image.width && box.y0 < image.height;
        if (!(ordered && inside && std::isfinite(box.x0 + box.y0 + box.x1 + box.y1))) {
            std::ostringstream text;
            text << "The box " << box.x0 << ", " << box.y0 << ", " << box.x1 << ", " << box.y1
                 << " does not lie on the image, which is " << image.width << " x " << image.height
                 << " pixels; give its left, top, right and bottom.";
            refuse(text);
        }
    }
}

} // namespace

void checkRequest(const Request& request) {
    if (request.images.size() != 1 || !request.images.front() || request.images.front()->width < 1)
        throw Failure(ErrorKind::Usage,
            "This model looks at one image at a time; the request has "
                + std::to_string(request.images.size()) + ".");
    if (blank(request.text) && request.points.empty() && request.boxes.empty())
        throw Failure(ErrorKind::Usage,
            "There is nothing to look for: type a request, click the object or draw a box.");
    const Image& image = *request.images.front();
    checkPoints(request, image);
    checkBoxes(request, image);
    if (request.settings.maxNewTokens < 1)
        throw Failure(ErrorKind::Usage,
            "The longest answer is " + std::to_string(request.settings.maxNewTokens)
                + " tokens: allow at least 1.");
    checkSampling(request.settings.sampling);
    if (request.settings.attention == AttentionPath::Ring)
        checkedRingDevices(request.settings.ringDevices);
}

} // namespace maskscope
