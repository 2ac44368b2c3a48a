// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/job_monitor.h"
#include "core/ring/nccl_library.h"
#include "core/ring/transport.h"

#include <c10/core/Device.h>

#include <memory>
#include <vector>

namespace maskscope {

/// Transports between ranks that are threads of this process and have a GPU each, by NCCL or RCCL.
/// The bytes are in the memory of the ranks' GPUs.
///
/// An exchange follows whatever its rank has queued on its current stream when it begins, and goes
/// on on a stream beside that: what is queued later runs meanwhile. All of its pieces travel at the
/// same time. When finish() returns they have arrived, so that the host is never more than one
/// exchange ahead of the GPU, and a peer that is lost is found like any other that keeps silent.
class NcclRing {
public:
    /// One seat for each rank of the monitor. Throws Failure(Device) where NCCL cannot join the
    /// devices, which all differ.
    NcclRing(std::shared_ptr<JobMonitor> monitor, NcclLibrary nccl,
        const std::vector<c10::Device>& devices);
    ~NcclRing();
    NcclRing(const NcclRing&) = delete;
    NcclRing& operator=(const NcclRing&) = delete;

    Transport& seat(int rank);

private:
    class Seat;
    std::shared_ptr<JobMonitor> m_monitor;
    NcclLibrary m_nccl;
    std::vector<std::unique_ptr<Seat>> m_seats;
};

} // namespace maskscope
