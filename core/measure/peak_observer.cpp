// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/peak_observer.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <tuple>

namespace maskscope {

namespace {

thread_local PeakObserver* t_observer = nullptr;

/// What only takes memory for the operation that called it.
bool onlyReserves(std::string_view op) {
    return op.starts_with("empty") || op.starts_with("new_empty") || op.starts_with("resize_");
}

template <class Visit>
void eachTensor(const c10::IValue& value, const Visit& visit) {
    if (value.isTensor()) {
        const at::Tensor& tensor = value.toTensor();
        if (tensor.defined() && tensor.layout() == at::kStrided && tensor.has_storage())
            visit(tensor);
    } else if (value.isTensorList()) {
        for (const at::Tensor& tensor : value.toTensorVector())
            eachTensor(tensor, visit);
    } else if (value.isTuple()) {
        for (const c10::IValue& element : value.toTupleRef().elements())
            eachTensor(element, visit);
    }
}

std::string nameOf(at::ScalarType type) {
    switch (type) {
    case at::kFloat:
        return "fp32";
    case at::kBFloat16:
        return "bf16";
    case at::kHalf:
        return "fp16";
    case at::kLong:
        return "int64";
    default:
        break;
    }
    std::string name = c10::toString(type);
    std::ranges::transform(name, name.begin(), [](char c) { return char(std::tolower(c)); });
    return name;
}

bool sameButCopies(const AliveTensor& a, const AliveTensor& b) {
    return std::tie(a.op, a.shape, a.dtype, a.bytes, a.module)
        == std::tie(b.op, b.shape, b.dtype, b.bytes, b.module);
}

} // namespace

PeakObserver::PeakObserver()
    : m_window(cpuLedger())
    , m_before(cpuLedger().liveByCategory()) {
    t_observer = this;
    m_handle = at::addThreadLocalCallback(
        at::RecordFunctionCallback(&PeakObserver::begin, &PeakObserver::end)
            .needsOutputs(true)
            .scopes({at::RecordScope::FUNCTION, at::RecordScope::USER_SCOPE}));
    observeAllocations(this);
}

PeakObserver::~PeakObserver() {
    observeAllocations(nullptr);
    at::removeCallback(m_handle);
    t_observer = nullptr;
}

void PeakObserver::allocated(
    const void* data, std::int64_t bytes, MemoryCategory category) noexcept {
    const std::lock_guard lock(m_mutex);
    const auto number = std::int64_t(m_tensors.size());
    m_tensors.push_back({currentOp(), {}, {}, bytes, currentModule(), 1});
    m_alive[data] = number;
    m_changes.push_back({bytes, number, category});
}

void PeakObserver::released(
    const void* data, std::int64_t bytes, MemoryCategory category) noexcept {
    const std::lock_guard lock(m_mutex);
    const auto found = m_alive.find(data);
    m_changes.push_back({-bytes, found == m_alive.end() ? -1 : found->second, category});
    if (found != m_alive.end())
        m_alive.erase(found);
}

std::unique_ptr<at::ObserverContext> PeakObserver::begin(const at::RecordFunction& function) {
    // LibTorch hands the callback on to tasks on other threads, but not the observer.
    if (!t_observer)
        return nullptr;
    PeakObserver& self = *t_observer;
    const std::lock_guard lock(self.m_mutex);
    if (function.scope() != at::RecordScope::FUNCTION) {
        self.m_open.push_back(self.m_scopes.size());
        self.m_scopes.push_back({function.name(), self.m_changes.size(), 0});
        return nullptr;
    }
    std::string name = function.name();
    constexpr std::string_view kPrefix = "aten::";
    if (name.starts_with(kPrefix))
        name.erase(0, kPrefix.size());
    self.m_calls.push_back({std::move(name), std::int64_t(self.m_tensors.size())});
    return nullptr;
}

void PeakObserver::end(const at::RecordFunction& function, at::ObserverContext*) {
    if (!t_observer)
        return;
    PeakObserver& self = *t_observer;
    const std::lock_guard lock(self.m_mutex);
    if (function.scope() != at::RecordScope::FUNCTION) {
        if (!self.m_open.empty()) {
            self.m_scopes[self.m_open.back()].end = self.m_changes.size();
            self.m_open.pop_back();
        }
        return;
    }
    if (self.m_calls.empty())
        return;
    self.nameOutputs(function, self.m_calls.back().firstTensor);
    self.m_calls.pop_back();
}

void PeakObserver::nameOutputs(const at::RecordFunction& function, std::int64_t firstTensor) {
    const auto name = [&](const at::Tensor& tensor) {
        const auto found = m_alive.find(tensor.storage().data());
        if (found == m_alive.end() || found->second < firstTensor)
            return;
        AliveTensor& made = m_tensors[std::size_t(found->second)];
        if (!made.dtype.empty())
            return;
        made.shape = tensor.sizes().vec();
        made.dtype = nameOf(tensor.scalar_type());
    };
    for (const c10::IValue& output : function.outputs())
        eachTensor(output, name);
}

std::string PeakObserver::currentOp() const {
    for (auto call = m_calls.rbegin(); call != m_calls.rend(); ++call)
        if (!onlyReserves(call->name))
            return call->name;
    return m_calls.empty() ? std::string() : m_calls.back().name;
}

std::string PeakObserver::currentModule() const {
    std::string path;
    for (const std::size_t scope : m_open)
        path += (path.empty() ? "" : "/") + m_scopes[scope].name;
    return path;
}

Anatomy PeakObserver::anatomy() {
    const std::int64_t peak = m_window.peak();
    const std::lock_guard lock(m_mutex);
    Anatomy anatomy = anatomyAt(0, highestIn(0, m_changes.size()));
    anatomy.unattributed = peak - anatomy.peakBytes;
    anatomy.peakBytes = peak;
    anatomy.extraPeakBytes = peak - m_window.liveAtStart();
    return anatomy;
}

std::optional<Anatomy> PeakObserver::anatomyOf(std::string_view name) {
    const std::lock_guard lock(m_mutex);
    std::optional<Anatomy> highest;
    for (const Scope& scope : m_scopes) {
        if (scope.name != name)
            continue;
        Anatomy anatomy
            = anatomyAt(scope.begin, highestIn(scope.begin, std::max(scope.begin, scope.end)));
        if (!highest || anatomy.extraPeakBytes > highest->extraPeakBytes)
            highest = std::move(anatomy);
    }
    return highest;
}

std::optional<Anatomy> PeakObserver::anatomyNear(
    std::string_view name, const BytesByCategory& live) {
    const std::lock_guard lock(m_mutex);
    std::optional<Anatomy> nearest;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    const auto look = [&](std::size_t begin, std::size_t end) {
        const auto [changes, distance] = nearestIn(begin, end, live);
        if (distance < least) {
            least = distance;
            nearest = anatomyAt(begin, changes);
        }
    };
    if (name.empty())
        look(0, m_changes.size());
    for (const Scope& scope : m_scopes)
        if (scope.name == name)
            look(scope.begin, std::max(scope.begin, scope.end));
    return nearest;
}

std::int64_t PeakObserver::liveAfter(std::size_t changes) const {
    std::int64_t live = m_window.liveAtStart();
    for (std::size_t i = 0; i < changes; ++i)
        live += m_changes[i].bytes;
    return live;
}

std::size_t PeakObserver::highestIn(std::size_t begin, std::size_t end) const {
    std::int64_t live = 0, highest = 0; // above that at `begin`
    std::size_t moment = begin;
    for (std::size_t i = begin; i < end; ++i) {
        live += m_changes[i].bytes;
        if (live > highest) {
            highest = live;
            moment = i + 1;
        }
    }
    return moment;
}

std::pair<std::size_t, std::int64_t> PeakObserver::nearestIn(
    std::size_t begin, std::size_t end, const BytesByCategory& wanted) const {
    BytesByCategory live = m_before;
    std::pair<std::size_t, std::int64_t> nearest{begin, std::numeric_limits<std::int64_t>::max()};
    for (std::size_t i = 0; i <= end; ++i) {
        if (i >= begin) {
            std::int64_t distance = 0;
            for (std::size_t category = 0; category < live.size(); ++category)
                distance += std::abs(live[category] - wanted[category]);
            if (distance < nearest.second)
                nearest = {i, distance};
        }
        if (i < end)
            live[std::size_t(m_changes[i].category)] += m_changes[i].bytes;
    }
    return nearest;
}

Anatomy PeakObserver::anatomyAt(std::size_t begin, std::size_t changes) const {
    Anatomy anatomy;
    anatomy.peakBytes = liveAfter(changes);
    anatomy.extraPeakBytes = anatomy.peakBytes - liveAfter(begin);
    anatomy.before = m_before;
    std::vector<bool> alive(m_tensors.size(), false);
    for (std::size_t i = 0; i < changes; ++i) {
        const Change& change = m_changes[i];
        if (change.tensor < 0)
            anatomy.before[std::size_t(change.category)] += change.bytes;
        else
            alive[std::size_t(change.tensor)] = change.bytes > 0;
    }
    for (std::size_t i = 0; i < alive.size(); ++i) {
        if (!alive[i])
            continue;
        const auto same = std::ranges::find_if(anatomy.tensors,
            [&](const AliveTensor& other) { return sameButCopies(other, m_tensors[i]); });
        if (same == anatomy.tensors.end())
            anatomy.tensors.push_back(m_tensors[i]);
        else
            ++same->copies;
    }
    std::ranges::stable_sort(anatomy.tensors, std::ranges::greater{},
        [](const AliveTensor& tensor) { return tensor.bytes * tensor.copies; });
    return anatomy;
}

} // namespace maskscope
