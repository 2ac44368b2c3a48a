// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace maskscope {

/// What a ring asks of NVIDIA's NCCL 2, or of AMD's RCCL, which has the same calls. Declared by
/// hand and found at run time: neither a build nor a machine without GPUs needs them.
class NcclLibrary {
public:
    static constexpr const char* kNvidiaFile = "libnccl.so.2";
    static constexpr const char* kAmdFile = "librccl.so.1";

    using Communicator = void*; ///< of one rank
    static constexpr int kBytes = 1; ///< the type of what travels (ncclUint8)

    /// By the name that the system's loader looks for, or a path. It is never unloaded, because it
    /// has threads of its own. Throws Failure(Device) where there is none, or one that cannot send
    /// from GPU to GPU.
    explicit NcclLibrary(const std::string& file);

    const std::string& version() const { return m_version; } ///< "2.21.5"

    /// Throws Failure(Device) where a call did not return success; `what` completes "NCCL could
    /// not".
    void check(int result, const std::string& what) const;

    // As in nccl.h. All but errorText() return a result; streams are the vendor's handles.
    const char* (*errorText)(int result) = nullptr;
    int (*initAll)(Communicator* all, int ranks, const int* devices) = nullptr;
    int (*asyncError)(Communicator, int* result) = nullptr;
    int (*abort)(Communicator) = nullptr; ///< also ends what it does on the GPU
    int (*destroy)(Communicator) = nullptr;
    int (*groupStart)() = nullptr;
    int (*groupEnd)() = nullptr;
    int (*send)(const void* from, std::size_t count, int type, int to, Communicator, void* stream)
        = nullptr;
    int (*receive)(void* into, std::size_t count, int type, int from, Communicator, void* stream)
        = nullptr;

private:
    std::string m_file;
    std::string m_version;
};

} // namespace maskscope
