// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/measure/audit.h"
#include "core/model/dtype.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

namespace maskscope {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kMostBytes = std::int64_t(2) << 30; ///< of a trace
constexpr std::uint64_t kMostElements = std::uint64_t(1) << 56;

/// A module's or a named range's time on one thread, in microseconds.
struct Range {
    double begin = 0;
    double end = 0;
    std::string name;
};

using Thread = std::pair<std::string, std::string>; ///< process and thread, as the trace has them
using Ranges = std::map<Thread, std::vector<Range>>;

std::int64_t bytesOfType(const std::string& type) {
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 14> kTypes{{
        {"double", 8},
        {"long int", 8},
        {"long", 8},
        {"float", 4},
        {"int", 4},
        {"c10::BFloat16", 2},
        {"c10::Half", 2},
        {"short", 2},
        {"short int", 2},
        {"bool", 1},
        {"unsigned char", 1},
        {"signed char", 1},
        {"c10::Float8_e4m3fn", 1},
        {"c10::Float8_e5m2", 1},
    }};
    for (const auto& [name, bytes] : kTypes)
        if (name == type)
            return bytes;
    return 4;
}

std::string textIn(const Json& event, const char* key) {
    const auto found = event.find(key);
    if (found == event.end())
        return {};
    return found->is_string() ? found->get<std::string>() : found->dump();
}

double numberIn(const Json& event, const char* key) {
    const auto found = event.find(key);
    return found != event.end() && found->is_number() ? found->get<double>() : 0;
}

Thread threadOf(const Json& event) {
    return {textIn(event, "pid"), textIn(event, "tid")};
}

Ranges modulesIn(const Json& events) {
    constexpr std::string_view kModule = "nn.Module: ";
    Ranges ranges;
    for (const Json& event : events) {
        if (!event.is_object())
            continue;
        const std::string name = textIn(event, "name"), category = textIn(event, "cat");
        const bool module = category == "python_function" && name.starts_with(kModule);
        if (!module && category != "user_annotation")
            continue;
        const double begin = numberIn(event, "ts");
        ranges[threadOf(event)].push_back(
            {begin, begin + numberIn(event, "dur"), module ? name.substr(kModule.size()) : name});
    }
    return ranges;
}

/// The shortest range around that moment.
std::string moduleAt(const Ranges& ranges, const Thread& thread, double moment) {
    const auto found = ranges.find(thread);
    std::string name;
    double shortest = std::numeric_limits<double>::infinity();
    if (found == ranges.end())
        return name;
    for (const Range& range : found->second)
        if (range.begin <= moment && moment <= range.end && range.end - range.begin < shortest) {
            shortest = range.end - range.begin;
            name = range.name;
        }
    return name;
}

/// A tensor that an operation was given.
struct Given {
    std::vector<std::int64_t> shape;
    std::int64_t bytes = 0;
};

/// Adds what `sizes` has: those of one tensor, or a list of tensors'. False where they cannot be.
bool collect(const Json& sizes, std::int64_t elementBytes, std::vector<Given>& all) {
    if (!sizes.is_array())
        return false;
    if (!sizes.empty() && sizes.front().is_array())
        return std::all_of(sizes.begin(), sizes.end(), [&](const Json& inner) {
            return (inner.empty() || !inner.front().is_array())
                && collect(inner, elementBytes, all);
        });
    Given given;
    for (const Json& size : sizes) {
        if (!size.is_number_integer())
            return false;
        given.shape.push_back(size.get<std::int64_t>());
    }
    const auto elements = bytesOf(Dtype::U8, given.shape); // nothing for sizes that cannot be
    if (!elements || *elements > kMostElements)
        return false;
    given.bytes = static_cast<std::int64_t>(*elements) * elementBytes;
    all.push_back(std::move(given));
    return true;
}

/// Operations that only look at their input in another way, or at its shape.
bool isView(std::string_view op) {
    constexpr std::array<std::string_view, 20> kViews{"resolve_conj", "resolve_neg", "view",
        "_unsafe_view", "reshape", "_reshape_alias", "transpose", "permute", "expand", "expand_as",
        "slice", "select", "narrow", "unsqueeze", "squeeze", "as_strided", "detach", "flatten",
        "alias", "chunk"};
    return op.starts_with("empty") || std::find(kViews.begin(), kViews.end(), op) != kViews.end();
}

/// Everything that one operation was given; nothing where its sizes cannot be read.
std::optional<std::vector<Given>> givenTo(const Json& args) {
    const Json& dims = args.at("Input Dims");
    const auto types = args.find("Input type");
    if (!dims.is_array())
        return std::nullopt;
    std::vector<Given> all;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const bool typed = types != args.end() && types->is_array() && i < types->size()
            && (*types)[i].is_string();
        const std::int64_t bytes = typed ? bytesOfType((*types)[i].get<std::string>()) : 4;
        if (!collect(dims[i], bytes, all))
            return std::nullopt;
    }
    return all;
}

void add(std::vector<AuditFinding>& findings, AuditFinding finding) {
    const auto known = std::find_if(findings.begin(), findings.end(), [&](AuditFinding entry) {
        entry.count = 1;
        return entry == finding;
    });
    if (known != findings.end())
        ++known->count;
    else
        findings.push_back(std::move(finding));
}

Json readTrace(const std::filesystem::path& file) {
    const std::vector<std::byte> text = readFile(file, kMostBytes);
    const auto* begin = reinterpret_cast<const char*>(text.data());
    Json trace;
    try {
        trace = Json::parse(begin, begin + text.size());
    } catch (const Json::parse_error& error) {
        throw Failure(ErrorKind::Input,
            file.string()
                + " is no trace of Kineto, or is damaged or cut off: as JSON it can be read"
                  " up to byte "
                + std::to_string(error.byte) + " of " + std::to_string(text.size()) + ".");
    }
    const auto listed = trace.is_object() ? trace.find("traceEvents") : trace.end();
    if (listed == trace.end() || !listed->is_array())
        throw Failure(ErrorKind::Input,
            file.string() + " is no trace of Kineto: it has no list \"traceEvents\".");
    return std::move(*listed);
}

} // namespace

FileAudit auditTrace(const std::filesystem::path& file, const AuditRule& rule) {
    constexpr std::string_view kPrefix = "aten::";
    const Json events = readTrace(file);
    const Ranges modules = modulesIn(events);
    FileAudit audit;
    bool shaped = false;
    for (const Json& event : events) {
        const auto args = event.is_object() ? event.find("args") : event.end();
        if (args == event.end() || !args->is_object() || !args->contains("Input Dims"))
            continue;
        shaped = true;
        const std::string op = textIn(event, "name");
        if (!op.starts_with(kPrefix) || isView(op.substr(kPrefix.size())))
            continue;
        const auto all = givenTo(*args);
        if (!all) {
            ++audit.unreadable;
            continue;
        }
        const auto find = [&](const auto& matches) {
            const auto found = std::ranges::find_if(
                *all, [&](const Given& given) { return matches(given.shape); });
            return found == all->end() ? nullptr : &*found;
        };
        const Given* exact = find([&](const auto& shape) { return rule.matches(shape); });
        const Given* given
            = exact ? exact : find([&](const auto& shape) { return rule.nearlyMatches(shape); });
        if (given)
            add(exact ? audit.findings : audit.near,
                {op.substr(kPrefix.size()), given->shape, given->bytes,
                    moduleAt(modules, threadOf(event), numberIn(event, "ts")), 1});
    }
    if (!shaped)
        throw Failure(ErrorKind::Input,
            file.string()
                + " has no shapes, so nothing can be found in it: record it with"
                  " torch.profiler.profile(record_shapes=True).");
    return audit;
}

} // namespace maskscope
