// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/budget.h"

#include "core/base/bytes.h"

#include <string>

namespace maskscope {

namespace {

Error errorOfRefusal(const MemoryRefusal& refusal) {
    std::string sentence = "Out of memory: " + bytesText(refusal.asked)
        + " more were asked for while " + bytesText(refusal.live) + " were in use, ";
    if (refusal.limit)
        sentence += "and the limit is " + bytesText(*refusal.limit)
            + ". Raise the memory limit, choose a smaller size, or another attention path.";
    else
        sentence += "and the system gave no more."
                    " Choose a smaller size or another attention path, or close other programs.";
    return {ErrorKind::Memory, sentence};
}

} // namespace

MemoryBudget::MemoryBudget(MemoryLedger& ledger, std::optional<std::int64_t> limit)
    : m_ledger(ledger)
    , m_outer(ledger.limit()) {
    m_ledger.clearRefusal();
    m_ledger.setLimit(limit);
}

MemoryBudget::~MemoryBudget() {
    m_ledger.setLimit(m_outer);
}

void MemoryBudget::check() const {
    if (const auto refusal = m_ledger.refusal())
        throw Failure(errorOfRefusal(*refusal));
}

Error MemoryBudget::errorOf(const std::exception_ptr& exception) const {
    const auto refusal = m_ledger.refusal();
    return refusal ? errorOfRefusal(*refusal) : maskscope::errorOf(exception);
}

} // namespace maskscope
