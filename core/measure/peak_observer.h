// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/anatomy.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/ledger.h"

#include <ATen/record_function.h>

#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace maskscope {

/// Writes down every block that is taken and given back during its life, with the operation of the
/// making thread that took it and the shape in which an operation gave it out. One at a time per
/// process; made and ended on one thread, while no other allocates.
class PeakObserver final : public AllocationObserver {
public:
    PeakObserver();
    ~PeakObserver() override;
    PeakObserver(const PeakObserver&) = delete;
    PeakObserver& operator=(const PeakObserver&) = delete;

    /// Of all that was observed so far.
    Anatomy anatomy();
    /// Of the scopes of this name, whichever went highest; nothing where there was none.
    std::optional<Anatomy> anatomyOf(std::string_view scope);
    /// Of the moment in the scopes of this name, or in all that was observed where it is empty, at
    /// which live bytes came nearest to these.
    std::optional<Anatomy> anatomyNear(std::string_view scope, const BytesByCategory& live);

private:
    struct Change {
        std::int64_t bytes; ///< negative for a release
        std::int64_t tensor; ///< in m_tensors; -1 for what was alive before
        MemoryCategory category;
    };
    struct Scope {
        std::string name;
        std::size_t begin; ///< in m_changes
        std::size_t end;
    };
    /// An operation that is running.
    struct Call {
        std::string name;
        std::int64_t firstTensor; ///< that it can have made
    };

    void allocated(const void* data, std::int64_t bytes, MemoryCategory category) noexcept override;
    void released(const void* data, std::int64_t bytes, MemoryCategory category) noexcept override;
    static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function);
    static void end(const at::RecordFunction& function, at::ObserverContext* context);
    void nameOutputs(const at::RecordFunction& function, std::int64_t firstTensor);
    std::string currentOp() const;
    std::string currentModule() const;
    std::int64_t liveAfter(std::size_t changes) const;
    /// Changes up to the highest moment in [begin, end].
    std::size_t highestIn(std::size_t begin, std::size_t end) const;
    /// Changes up to the moment nearest to `live`, and how far it is from there.
    std::pair<std::size_t, std::int64_t> nearestIn(
        std::size_t begin, std::size_t end, const BytesByCategory& live) const;
    /// After so many changes, above the first `begin` of them.
    Anatomy anatomyAt(std::size_t begin, std::size_t changes) const;

    PeakWindow m_window;
    at::CallbackHandle m_handle = 0;
    std::mutex m_mutex; ///< guards what follows
    BytesByCategory m_before;
    std::vector<Change> m_changes;
    std::vector<AliveTensor> m_tensors; ///< all that were made
    std::unordered_map<const void*, std::int64_t> m_alive; ///< their numbers by their data
    std::vector<Call> m_calls; ///< innermost last
    std::vector<Scope> m_scopes; ///< all that there were
    std::vector<std::size_t> m_open; ///< their numbers, innermost last
};

} // namespace maskscope
