// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/shape.h"

#include "core/base/error.h"

#include <sstream>

namespace maskscope {

namespace {

template <class Sizes>
std::string textOf(const Sizes& sizes) {
    std::ostringstream text;
    text << '[';
    const char* separator = "";
    for (const std::int64_t size : sizes) {
        text << separator;
        if (size == kAny)
            text << "any";
        else
            text << size;
        separator = ", ";
    }
    text << ']';
    return text.str();
}

} // namespace

void expectShape(
    const at::Tensor& tensor, std::initializer_list<std::int64_t> shape, std::string_view name) {
    bool same = tensor.dim() == static_cast<std::int64_t>(shape.size());
    std::int64_t i = 0;
    for (const std::int64_t size : shape) {
        same = same && (size == kAny || tensor.size(i) == size);
        ++i;
    }
    if (!same)
        throw Failure(ErrorKind::Internal,
            std::string(name) + " has shape " + textOf(tensor.sizes()) + " where " + textOf(shape)
                + " is needed.");
}

} // namespace maskscope
