// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/prepare.h"

#include <ATen/Context.h>
#include <c10/util/Exception.h>

#include <utility>

namespace maskscope {

namespace {

class SinkHandler final : public c10::WarningHandler {
public:
    void setSink(WarningSink sink) { m_sink = std::move(sink); }
    void process(const c10::Warning& warning) override {
        if (m_sink)
            m_sink(warning.msg());
    }

private:
    WarningSink m_sink;
};

} // namespace

void prepareRequest(WarningSink sink) {
    // LibTorch's handler is per thread as well.
    thread_local SinkHandler handler;
    handler.setSink(std::move(sink));
    c10::WarningUtils::set_warning_handler(&handler);
    at::globalContext().setUserEnabledMkldnn(true);
}

} // namespace maskscope
