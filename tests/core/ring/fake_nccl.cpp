// SPDX-License-Identifier: GPL-3.0-or-later
// A library in NCCL's place, whose ranks' GPUs are this machine's memory. Like NCCL's own, a group
// of calls happens together when its stream gets there, and ends when all it receives has come.
#include "tests/core/ring/fake_nccl.h"

#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#ifndef FAKE_NCCL_VERSION
#define FAKE_NCCL_VERSION 22105
#endif

namespace {

using namespace maskscope::test;
using Bytes = std::vector<std::byte>;

constexpr int kSuccess = 0, kRemoteError = 6, kInvalidUsage = 5, kBytes = 1;

FakeNcclRecord record;

/// What ranks that joined have on the way.
struct World {
    std::mutex mutex;
    std::map<std::pair<int, int>, std::deque<Bytes>> mail; ///< from, to
};

struct Communicator {
    std::shared_ptr<World> world;
    int rank = 0;
    std::shared_ptr<std::atomic<bool>> aborted = std::make_shared<std::atomic<bool>>(false);
};

struct Piece {
    bool comes = false;
    std::byte* bytes = nullptr;
    std::size_t count = 0;
    int peer = 0;
};

struct Group {
    int depth = 0;
    std::vector<Piece> pieces;
    Communicator* communicator = nullptr;
    FakeStream* stream = nullptr;
};
thread_local Group group;

int add(const Piece& piece, int type, void* communicator, void* stream) {
    ++(piece.comes ? record.receives : record.sends);
    record.outsideGroups += group.depth == 0;
    if (type != kBytes)
        return kInvalidUsage;
    group.pieces.push_back(piece);
    group.communicator = static_cast<Communicator*>(communicator);
    group.stream = static_cast<FakeStream*>(stream);
    return kSuccess;
}

/// One group's way; asked again until all has come.
struct Exchange {
    std::shared_ptr<World> world;
    std::shared_ptr<std::atomic<bool>> aborted;
    int rank = 0;
    std::vector<Piece> pieces;

    bool operator()() {
        if (*aborted)
            return true;
        const std::lock_guard lock(world->mutex);
        std::erase_if(pieces, [&](const Piece& piece) {
            if (!piece.comes) {
                world->mail[{rank, piece.peer}].emplace_back(
                    piece.bytes, piece.bytes + piece.count);
                return true;
            }
            std::deque<Bytes>& mail = world->mail[{piece.peer, rank}];
            if (mail.empty())
                return false;
            std::memcpy(piece.bytes, mail.front().data(), mail.front().size());
            mail.pop_front();
            return true;
        });
        return pieces.empty();
    }
};

} // namespace

extern "C" {

FakeNcclRecord* fakeNcclRecord() {
    return &record;
}

int ncclGetVersion(int* version) {
    *version = FAKE_NCCL_VERSION;
    return kSuccess;
}

const char* ncclGetErrorString(int result) {
    return result == kRemoteError ? "remote process exited" : "invalid usage";
}

int ncclCommInitAll(void** all, int ranks, const int* /*devices*/) {
    if (record.refusesToJoin)
        return kInvalidUsage;
    const auto world = std::make_shared<World>();
    for (int rank = 0; rank < ranks; ++rank)
        all[rank] = new Communicator{world, rank};
    record.joined += ranks;
    return kSuccess;
}

int ncclCommGetAsyncError(void*, int* result) {
    *result = record.fails ? kRemoteError : kSuccess;
    return kSuccess;
}

int ncclCommAbort(void* communicator) {
    const std::unique_ptr<Communicator> ended(static_cast<Communicator*>(communicator));
    *ended->aborted = true;
    ++record.aborted;
    return kSuccess;
}

int ncclCommDestroy(void* communicator) {
    delete static_cast<Communicator*>(communicator);
    ++record.destroyed;
    return kSuccess;
}

int ncclGroupStart() {
    ++record.groups;
    ++group.depth;
    return kSuccess;
}

int ncclGroupEnd() {
    const Group ended = std::exchange(group, {});
    if (!ended.pieces.empty())
        ended.stream->push(Exchange{ended.communicator->world, ended.communicator->aborted,
            ended.communicator->rank, ended.pieces});
    return kSuccess;
}

#ifndef FAKE_NCCL_WITHOUT_SEND
int ncclSend(
    const void* from, std::size_t count, int type, int to, void* communicator, void* stream) {
    if (record.refusesToSend)
        return kInvalidUsage;
    auto* const bytes = static_cast<std::byte*>(const_cast<void*>(from));
    return add({false, bytes, count, to}, type, communicator, stream);
}
#endif

int ncclRecv(void* into, std::size_t count, int type, int from, void* communicator, void* stream) {
    return add({true, static_cast<std::byte*>(into), count, from}, type, communicator, stream);
}

} // extern "C"
