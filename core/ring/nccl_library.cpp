// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/nccl_library.h"

#include "core/base/error.h"

#include <dlfcn.h>

namespace maskscope {

namespace {

struct Version {
    int major = 0;
    int minor = 0;
    int patch = 0;

    std::string text() const {
        return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
    }
};

/// 2.8.3 is 2803, 2.9.6 is 20906.
Version versionOf(int code) {
    return code < 10'000 ? Version{code / 1000, code / 100 % 10, code % 100}
                         : Version{code / 10'000, code / 100 % 100, code % 100};
}

void* opened(const std::string& file) {
    // A LibTorch for GPUs has loaded one already, which this then is.
    if (void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))
        return library;
    throw Failure(ErrorKind::Device,
        "GPUs exchange keys and values by " + file + ", which cannot be loaded (" + dlerror()
            + "): install NCCL, for AMD's GPUs RCCL, where the system's loader finds it.");
}

template <class Call>
void find(void* library, const std::string& file, const char* name, Call& call) {
    call = reinterpret_cast<Call>(dlsym(library, name));
    if (!call)
        throw Failure(ErrorKind::Device,
            file + " has no " + name + ", without which GPUs cannot exchange keys and values: "
                + "install NCCL or RCCL 2.7 or later, but not 3.");
}

} // namespace

NcclLibrary::NcclLibrary(const std::string& file)
    : m_file(file) {
    void* const library = opened(file);
    int (*versionCode)(int*) = nullptr;
    find(library, file, "ncclGetVersion", versionCode);
    int code = 0;
    versionCode(&code);
    const Version version = versionOf(code);
    m_version = version.text();
    if (version.major != 2 || version.minor < 7)
        throw Failure(ErrorKind::Device,
            file + " is version " + m_version + ", but GPUs exchange keys and values by 2.7 or a "
                + "later 2: install one of these.");
    find(library, file, "ncclGetErrorString", errorText);
    find(library, file, "ncclCommInitAll", initAll);
    find(library, file, "ncclCommGetAsyncError", asyncError);
    find(library, file, "ncclCommAbort", abort);
    find(library, file, "ncclCommDestroy", destroy);
    find(library, file, "ncclGroupStart", groupStart);
    find(library, file, "ncclGroupEnd", groupEnd);
    find(library, file, "ncclSend", send);
    find(library, file, "ncclRecv", receive);
}

void NcclLibrary::check(int result, const std::string& what) const {
    if (result != 0)
        throw Failure(ErrorKind::Device,
            "NCCL " + m_version + " could not " + what + " (" + errorText(result)
                + "): choose --ring-devices cpu,cpu, or run with NCCL_DEBUG=WARN to see why.");
}

} // namespace maskscope
