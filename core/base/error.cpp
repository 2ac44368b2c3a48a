// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include <new>
#include <string_view>

namespace maskscope {

Error errorOf(const std::exception_ptr& exception) {
    try {
        std::rethrow_exception(exception);
    } catch (const Failure& failure) {
        return failure.error();
    } catch (const std::bad_alloc&) {
        return {ErrorKind::Memory,
            "Out of memory: the system gave no more. Choose a smaller size, or close other "
            "programs."};
    } catch (const std::exception& unexpected) {
        // Libraries append a trace of many lines; the first one says what happened.
        const std::string_view what = unexpected.what();
        return {ErrorKind::Internal,
            "A defect of this program: " + std::string(what.substr(0, what.find('\n')))};
    } catch (...) {
        return {ErrorKind::Internal, "A defect of this program: an exception of unknown kind."};
    }
}

} // namespace maskscope
