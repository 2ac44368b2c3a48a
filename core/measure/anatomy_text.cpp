// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/anatomy_text.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <numeric>

namespace maskscope {

namespace {

using Shape = std::vector<std::int64_t>;

/// Sizes of 1 in front say nothing of what it is.
Shape withoutLeadingOnes(const Shape& shape) {
    auto first = shape.begin();
    while (first != shape.end() && std::next(first) != shape.end() && *first == 1)
        ++first;
    return {first, shape.end()};
}

std::string product(const Shape& shape) {
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "" : " x ") + std::to_string(size);
    return text;
}

/// Tensors of one shape and type, whatever made them.
struct Group {
    Shape shape;
    std::string dtype;
    std::string op; ///< of the first
    std::int64_t copies = 0;
    std::int64_t bytes = 0; ///< of all
};

Group largestGroup(const std::vector<AliveTensor>& tensors) {
    std::vector<Group> groups;
    for (const AliveTensor& tensor : tensors) {
        const Shape shape = withoutLeadingOnes(tensor.shape);
        auto group = std::ranges::find_if(groups, [&](const Group& known) {
            return known.shape == shape && known.dtype == tensor.dtype
                && (!tensor.dtype.empty() || known.op == tensor.op);
        });
        if (group == groups.end())
            group = groups.insert(groups.end(), {shape, tensor.dtype, tensor.op, 0, 0});
        group->copies += tensor.copies;
        group->bytes += tensor.copies * tensor.bytes;
    }
    return *std::ranges::max_element(groups, {}, &Group::bytes);
}

bool isMatrix(const Group& group, const Anatomy& anatomy) {
    const Shape& shape = group.shape;
    return shape.size() >= 3 && shape.back() == shape[shape.size() - 2]
        && shape.back() == anatomy.patches
        && std::accumulate(
               shape.begin(), shape.end() - 2, std::int64_t(1), std::multiplies<std::int64_t>())
        >= anatomy.heads;
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text)
        result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
}

std::string csvLine(const std::string& op, const std::string& shape, const std::string& dtype,
    std::int64_t bytes, std::int64_t copies, const std::string& module) {
    return quoted(op) + ',' + quoted(shape) + ',' + quoted(dtype) + ',' + std::to_string(bytes)
        + ',' + std::to_string(copies) + ',' + std::to_string(bytes * copies) + ',' + quoted(module)
        + '\n';
}

} // namespace

std::string shapeText(const AliveTensor& tensor) {
    return tensor.dtype.empty() ? std::string() : product(tensor.shape);
}

std::string sentenceOf(const Anatomy& anatomy) {
    if (anatomy.tensors.empty())
        return "No tensor that the run has made is alive at this moment.";
    const std::int64_t made = std::accumulate(anatomy.tensors.begin(), anatomy.tensors.end(),
        std::int64_t(0), [](std::int64_t sum, const AliveTensor& tensor) {
            return sum + tensor.bytes * tensor.copies;
        });
    const Group most = largestGroup(anatomy.tensors);
    const bool one = most.copies == 1;
    std::string sentence = most.dtype.empty()
        ? "Scratch of " + (most.op.empty() ? "no operation" : most.op) + " is "
        : std::to_string(most.copies) + (one ? " tensor of " : " tensors of ") + product(most.shape)
            + ' ' + most.dtype + (one ? " is " : " are ");
    sentence += bytesText(most.bytes, 2) + " of the " + bytesText(made, 2)
        + " that the run has made and not given back";
    if (isMatrix(most, anatomy))
        sentence += ": attention's matrices, patches x patches for every head";
    return sentence + '.';
}

std::string csvOf(const Anatomy& anatomy) {
    std::string csv = "op,shape,dtype,bytes,copies,total_bytes,module\n";
    for (const AliveTensor& tensor : anatomy.tensors)
        csv += csvLine(
            tensor.op, shapeText(tensor), tensor.dtype, tensor.bytes, tensor.copies, tensor.module);
    for (std::size_t i = 0; i < anatomy.before.size(); ++i)
        if (anatomy.before[i] != 0)
            csv += csvLine("from before", "", "", anatomy.before[i], 1,
                std::string(nameOf(MemoryCategory(i))));
    if (anatomy.unattributed != 0)
        csv += csvLine("of other threads", "", "", anatomy.unattributed, 1, "");
    return csv;
}

} // namespace maskscope
