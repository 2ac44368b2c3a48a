// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/op_observer.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <algorithm>
#include <utility>

namespace maskscope {

namespace {

thread_local OpObserver* t_observer = nullptr;

std::string nameOf(const at::RecordFunction& function) {
    const std::string name = function.name();
    constexpr std::string_view kPrefix = "aten::";
    return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

/// Adds a call to what is known.
void add(std::vector<AuditFinding>& all, AuditFinding finding) {
    for (AuditFinding& known : all) {
        finding.count = known.count;
        if (known == finding) {
            ++known.count;
            return;
        }
    }
    finding.count = 1;
    all.push_back(std::move(finding));
}

} // namespace

/// A tensor that matches, or nearly, by its memory.
struct OpObserver::Seen {
    const void* storage = nullptr;
    std::vector<std::int64_t> shape;
    std::int64_t bytes = 0;
    bool matches = true;
};

struct OpObserver::Call : at::ObserverContext {
    std::vector<Seen> received;
    std::vector<Seen> produced;

    static const Seen* largest(const std::vector<Seen>& all, bool matches) {
        const Seen* found = nullptr;
        for (const Seen& seen : all)
            if (seen.matches == matches && (!found || seen.bytes > found->bytes))
                found = &seen;
        return found;
    }
};

OpObserver::OpObserver(AuditRule rule)
    : m_rule(rule) {
    t_observer = this;
    m_handle = at::addThreadLocalCallback(
        at::RecordFunctionCallback(&OpObserver::begin, &OpObserver::end)
            .needsInputs(true)
            .needsOutputs(true)
            .scopes({at::RecordScope::FUNCTION, at::RecordScope::USER_SCOPE,
                at::RecordScope::TORCHSCRIPT_FUNCTION}));
}

OpObserver::~OpObserver() {
    at::removeCallback(m_handle);
    t_observer = nullptr;
}

void OpObserver::collect(const c10::IValue& value, std::vector<Seen>& found) const {
    if (value.isTensor()) {
        const at::Tensor& tensor = value.toTensor();
        if (!tensor.defined() || tensor.layout() != at::kStrided || !tensor.has_storage())
            return;
        const std::vector<std::int64_t> shape = tensor.sizes().vec();
        const auto bytes = static_cast<std::int64_t>(tensor.nbytes());
        // An expanded tensor has the shape without the memory.
        if (bytes > std::int64_t(tensor.storage().nbytes()))
            return;
        const bool matches = m_rule.matches(shape);
        if (matches || m_rule.nearlyMatches(shape))
            found.push_back({tensor.storage().data(), shape, bytes, matches});
    } else if (value.isTensorList()) {
        for (const at::Tensor& tensor : value.toTensorVector())
            collect(tensor, found);
    } else if (value.isTuple()) {
        for (const c10::IValue& element : value.toTupleRef().elements())
            collect(element, found);
    }
}

std::unique_ptr<at::ObserverContext> OpObserver::begin(const at::RecordFunction& function) {
    // LibTorch hands the callback on to tasks on other threads, but not the observer.
    if (!t_observer)
        return nullptr;
    OpObserver& self = *t_observer;
    if (function.scope() != at::RecordScope::FUNCTION) {
        self.m_modules.emplace_back(function.name());
        return nullptr;
    }
    const std::string name = nameOf(function);
    if (std::find(self.m_ops.begin(), self.m_ops.end(), name) == self.m_ops.end())
        self.m_ops.push_back(name);
    auto call = std::make_unique<Call>();
    // The inputs live only until the operation begins.
    for (const c10::IValue& input : function.inputs())
        self.collect(input, call->received);
    return call;
}

void OpObserver::end(const at::RecordFunction& function, at::ObserverContext* context) {
    if (!t_observer)
        return;
    OpObserver& self = *t_observer;
    if (function.scope() != at::RecordScope::FUNCTION) {
        if (!self.m_modules.empty())
            self.m_modules.pop_back();
        return;
    }
    if (!context)
        return;
    auto& call = *static_cast<Call*>(context);
    for (const c10::IValue& output : function.outputs())
        self.collect(output, call.produced);
    self.note(nameOf(function), call);
}

void OpObserver::note(const std::string& op, const Call& call) {
    // What only reserves memory is listed as the operation that fills it.
    if ((call.received.empty() && call.produced.empty()) || op.starts_with("empty"))
        return;
    // A view of what came in computes nothing; an operation in place (its name ends in _) does.
    const bool views = !call.produced.empty() && op.back() != '_'
        && std::all_of(call.produced.begin(), call.produced.end(), [&](const Seen& out) {
               return std::any_of(call.received.begin(), call.received.end(),
                   [&](const Seen& in) { return in.storage == out.storage; });
           });
    if (views)
        return;
    const std::string module = m_modules.empty() ? std::string() : m_modules.back();
    for (const bool matches : {true, false})
        for (const std::vector<Seen>* all : {&call.produced, &call.received})
            if (const Seen* seen = Call::largest(*all, matches)) {
                add(matches ? m_findings : m_near, {op, seen->shape, seen->bytes, module, 1});
                return;
            }
}

} // namespace maskscope
