// SPDX-License-Identifier: GPL-3.0-or-later
// Devices in the place of GPUs, as far as streams and events go: their memory is the machine's own.
#pragma once

#include "tests/core/ring/fake_nccl.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace maskscope::test {

inline constexpr auto kFakeType = c10::DeviceType::PrivateUse1;
inline constexpr std::size_t kFakeDevices = 8;

/// Of each device a stream that is computed on, and one beside it.
inline FakeStream& fakeStream(c10::DeviceIndex device, bool beside) {
    static std::array<std::array<FakeStream, 2>, kFakeDevices> streams;
    return streams[static_cast<std::size_t>(device)][beside ? 1 : 0];
}

class FakeGuard final : public c10::impl::DeviceGuardImplInterface {
    /// A place in a stream.
    struct Event {
        FakeStream* stream = nullptr;
        std::uint64_t place = 0;

        bool happened() const { return stream->reached(place); }
    };
    static Event& eventOf(void* event) { return *static_cast<Event*>(event); }
    static FakeStream& streamOf(const c10::Stream& stream) {
        return fakeStream(stream.device_index(), stream.id() == 1);
    }
    static c10::Stream stream(const c10::Device& device, c10::StreamId id) {
        return c10::Stream(c10::Stream::UNSAFE, device, id);
    }
    static c10::DeviceIndex& current() {
        thread_local c10::DeviceIndex index = 0;
        return index;
    }

public:
    c10::DeviceType type() const override { return kFakeType; }
    c10::DeviceIndex deviceCount() const noexcept override { return kFakeDevices; }
    c10::Device getDevice() const override { return {kFakeType, current()}; }
    void setDevice(c10::Device device) const override { current() = device.index(); }
    void uncheckedSetDevice(c10::Device device) const noexcept override {
        current() = device.index();
    }
    c10::Device exchangeDevice(c10::Device device) const override {
        const c10::Device before = getDevice();
        setDevice(device);
        return before;
    }

    c10::Stream getStream(c10::Device device) const override { return stream(device, 0); }
    c10::Stream getStreamFromGlobalPool(c10::Device device, bool) const override {
        return stream(device, 1);
    }
    c10::Stream exchangeStream(c10::Stream now) const override { return getStream(now.device()); }
    void* getStreamNativeHandle(const c10::Stream now) const override { return &streamOf(now); }
    void synchronizeStream(const c10::Stream& now) const override {
        FakeStream& all = streamOf(now);
        for (const std::uint64_t last = all.push([] { return true; }); !all.reached(last);)
            std::this_thread::yield();
    }

    void record(void** event, const c10::Stream& now, const c10::DeviceIndex,
        const c10::EventFlag) const override {
        FakeStream& all = streamOf(now);
        *event = new Event{&all, all.push([] { return true; })};
    }
    void block(void* event, const c10::Stream& now) const override {
        streamOf(now).push([before = eventOf(event)] { return before.happened(); });
    }
    bool queryEvent(void* event) const override { return eventOf(event).happened(); }
    void destroyEvent(void* event, const c10::DeviceIndex) const noexcept override {
        delete static_cast<Event*>(event);
    }
};

C10_REGISTER_GUARD_IMPL(PrivateUse1, FakeGuard)

} // namespace maskscope::test
