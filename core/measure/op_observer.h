// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/audit.h"

#include <ATen/core/ivalue.h>
#include <ATen/record_function.h>

#include <memory>
#include <string>
#include <vector>

namespace maskscope {

/// Watches every operation that this thread runs during its life, nested ones included, by way of
/// at::RecordFunction. One at a time per thread.
class OpObserver {
public:
    explicit OpObserver(AuditRule rule);
    ~OpObserver();
    OpObserver(const OpObserver&) = delete;
    OpObserver& operator=(const OpObserver&) = delete;

    /// Operations that received or produced a matching tensor, in their order, equal ones together.
    const std::vector<AuditFinding>& findings() const { return m_findings; }
    /// The same of tensors that nearly match, where the operation has none that does.
    const std::vector<AuditFinding>& near() const { return m_near; }
    /// Names of all operations, in the order in which they began, each once.
    const std::vector<std::string>& ops() const { return m_ops; }

private:
    struct Seen;
    struct Call;
    static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function);
    static void end(const at::RecordFunction& function, at::ObserverContext* context);
    void collect(const c10::IValue& value, std::vector<Seen>& found) const;
    void note(const std::string& op, const Call& call);

    AuditRule m_rule;
    at::CallbackHandle m_handle;
    std::vector<std::string> m_modules; ///< scopes that are open, innermost last
    std::vector<AuditFinding> m_findings;
    std::vector<AuditFinding> m_near;
    std::vector<std::string> m_ops;
};

} // namespace maskscope
