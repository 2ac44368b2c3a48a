// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/worker.h"

#include "core/base/cancelled.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

namespace maskscope {
namespace {

using namespace std::chrono_literals;

/// Keeps every event and lets a test wait for a request's end.
class Log {
public:
    EventSink sink() {
        return [this](const Event& event) {
            const std::lock_guard lock(m_mutex);
            m_events.push_back(event);
            m_changed.notify_all();
        };
    }

    std::vector<Event> of(std::uint64_t request) const {
        const std::lock_guard lock(m_mutex);
        std::vector<Event> events;
        for (const Event& event : m_events)
            if (event.request == request)
                events.push_back(event);
        return events;
    }

    static bool isEnd(const Event& event) {
        return std::holds_alternative<Done>(event.payload)
            || std::holds_alternative<Failed>(event.payload);
    }

    /// The events of a request that has ended, after waiting for it.
    std::vector<Event> waitFor(std::uint64_t request) {
        std::unique_lock lock(m_mutex);
        const bool ended = m_changed.wait_for(lock, 10s, [&] {
            for (const Event& event : m_events)
                if (event.request == request && isEnd(event))
                    return true;
            return false;
        });
        lock.unlock();
        if (!ended)
            throw std::runtime_error("request " + std::to_string(request) + " never ended");
        return of(request);
    }

private:
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<Event> m_events;
};

Request numbered(std::uint64_t number) {
    Request request;
    request.number = number;
    return request;
}

Event finished(const Request& request) {
    return {request.number, 1, Done{std::make_shared<Report>()}};
}

void untilStopped(const Request& request) {
    while (!request.stop.stop_requested())
        std::this_thread::sleep_for(100us);
    throw Cancelled();
}

Worker::JobFactory always(Worker::Job job) {
    return [job = std::move(job)](const EventSink&) { return job; };
}

Outcome outcomeOf(const Event& event) {
    return std::get<Done>(event.payload).report->outcome;
}

TEST(Worker, RunsRequestsInOrderOnOneThreadThatAlsoMadeTheJob) {
    Log log;
    std::vector<std::thread::id> threads;
    std::vector<std::uint64_t> order;
    {
        Worker worker(
            [&](const EventSink&) -> Worker::Job {
                threads.push_back(std::this_thread::get_id());
                return [&](const Request& request, const EventSink& sink) {
                    threads.push_back(std::this_thread::get_id());
                    order.push_back(request.number);
                    sink({request.number, 0, TokenProduced{}});
                    sink(finished(request));
                };
            },
            log.sink());
        for (std::uint64_t number = 1; number <= 5; ++number)
            worker.submit(numbered(number));
        log.waitFor(5);
    }
    EXPECT_EQ(order, (std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
    for (const auto thread : threads)
        EXPECT_EQ(thread, threads.front());
    EXPECT_NE(threads.front(), std::this_thread::get_id());
    EXPECT_EQ(log.of(3).size(), 2U);
}

TEST(Worker, AStopBeforeItsTurnIsNotLostAndTheJobNotTouched) {
    Log log;
    std::atomic<int> runs = 0;
    Worker worker(always([&](const Request& request, const EventSink& sink) {
        ++runs;
        sink(finished(request));
    }),
        log.sink());
    Request request = numbered(1);
    request.stop.request_stop();
    worker.submit(request);
    const auto events = log.waitFor(1);
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(outcomeOf(events[0]), Outcome::Cancelled);
    EXPECT_EQ(runs, 0);
}

TEST(Worker, AStopOfTheRunningRequestEndsItAndTheNextOneRuns) {
    Log log;
    Worker worker(always([](const Request& request, const EventSink& sink) {
        if (request.number == 1)
            untilStopped(request);
        sink(finished(request));
    }),
        log.sink());
    Request first = numbered(1);
    worker.submit(first);
    worker.submit(numbered(2));
    std::this_thread::sleep_for(5ms);
    EXPECT_TRUE(log.of(1).empty());
    first.stop.request_stop();
    EXPECT_EQ(outcomeOf(log.waitFor(1).back()), Outcome::Cancelled);
    EXPECT_EQ(outcomeOf(log.waitFor(2).back()), Outcome::Finished);
}

TEST(Worker, WhateverAJobThrowsBecomesOneFailedAndTheNextOneRuns) {
    Log log;
    Worker worker(always([](const Request& request, const EventSink& sink) {
        switch (request.number) {
        case 1:
            throw Failure(ErrorKind::Memory, "Too large.");
        case 2:
            throw std::runtime_error("odd\nframe #0: somewhere");
        case 3:
            throw std::bad_alloc();
        case 4:
            throw 4;
        case 5:
            return; // without a result
        default:
            sink(finished(request));
            sink({request.number, 2, TokenProduced{}});
            throw std::runtime_error("after its end");
        }
    }),
        log.sink());
    for (std::uint64_t number = 1; number <= 6; ++number)
        worker.submit(numbered(number));
    log.waitFor(6);
    const std::vector<ErrorKind> kinds{ErrorKind::Memory, ErrorKind::Internal, ErrorKind::Memory,
        ErrorKind::Internal, ErrorKind::Internal};
    for (std::uint64_t number = 1; number <= 5; ++number) {
        const auto events = log.of(number);
        ASSERT_EQ(events.size(), 1U) << number;
        const Error& error = std::get<Failed>(events[0].payload).error;
        EXPECT_EQ(error.kind, kinds[number - 1]) << number;
        EXPECT_EQ(error.sentence.find("frame"), std::string::npos);
    }
    EXPECT_EQ(std::get<Failed>(log.of(1)[0].payload).error.sentence, "Too large.");
    EXPECT_EQ(log.of(6).size(), 1U);
}

TEST(Worker, AFactoryThatFailsAnswersEveryRequest) {
    Log log;
    Worker worker(
        [](const EventSink&) -> Worker::Job {
            throw Failure(ErrorKind::Model, "model.safetensors is damaged.");
        },
        log.sink());
    Request stopped = numbered(2);
    stopped.stop.request_stop();
    worker.submit(numbered(1));
    worker.submit(stopped);
    worker.submit(numbered(3));
    log.waitFor(3);
    EXPECT_EQ(std::get<Failed>(log.of(1)[0].payload).error.kind, ErrorKind::Model);
    EXPECT_EQ(outcomeOf(log.of(2)[0]), Outcome::Cancelled);
    EXPECT_EQ(
        std::get<Failed>(log.of(3)[0].payload).error.sentence, "model.safetensors is damaged.");
}

TEST(Worker, DestructionStopsTheRunningAndAnswersTheWaiting) {
    Log log;
    {
        Worker worker(
            always([](const Request& request, const EventSink&) { untilStopped(request); }),
            log.sink());
        for (std::uint64_t number = 1; number <= 3; ++number)
            worker.submit(numbered(number));
        std::this_thread::sleep_for(2ms);
    }
    for (std::uint64_t number = 1; number <= 3; ++number) {
        const auto events = log.of(number);
        ASSERT_EQ(events.size(), 1U) << number;
        EXPECT_EQ(outcomeOf(events[0]), Outcome::Cancelled);
    }
}

TEST(Worker, ASinkThatThrowsFailsItsRequestOnly) {
    std::mutex mutex;
    std::map<std::uint64_t, int> ends;
    {
        Worker worker(always([](const Request& request, const EventSink& sink) {
            sink({request.number, 0, TokenProduced{}});
            sink(finished(request));
        }),
            [&](const Event& event) {
                const std::lock_guard lock(mutex);
                ends[event.request] += Log::isEnd(event);
                if (event.request == 1)
                    throw std::runtime_error("a window that is gone");
            });
        worker.submit(numbered(1));
        worker.submit(numbered(2));
        std::this_thread::sleep_for(20ms);
    }
    EXPECT_EQ(ends[1], 1);
    EXPECT_EQ(ends[2], 1);
}

TEST(Worker, ThousandRoundsOfSubmittingStoppingAndDestroying) {
    std::mt19937 random(7);
    for (int round = 0; round < 1000; ++round) {
        std::atomic<int> ends = 0;
        std::atomic<int> afterEnd = 0;
        std::mutex mutex;
        std::map<std::uint64_t, bool> ended;
        const int requests = static_cast<int>(random() % 6);
        {
            Worker worker(always([](const Request& request, const EventSink& sink) {
                std::jthread sampler([&] { sink({request.number, 0, MemoryMeasured{}}); });
                for (int i = 0; i < 3; ++i) {
                    throwIfStopped(request.stop.get_token());
                    sink({request.number, 0, TokenProduced{}});
                }
                if (request.number % 3 == 0)
                    throw Failure(ErrorKind::Device, "Gone.");
                sink(finished(request));
            }),
                [&](const Event& event) {
                    const std::lock_guard lock(mutex);
                    afterEnd += ended[event.request];
                    if (Log::isEnd(event)) {
                        ended[event.request] = true;
                        ++ends;
                    }
                });
            std::vector<std::jthread> stoppers;
            for (int i = 0; i < requests; ++i) {
                Request request = numbered(static_cast<std::uint64_t>(i));
                if (random() % 2)
                    stoppers.emplace_back([stop = request.stop]() mutable { stop.request_stop(); });
                worker.submit(std::move(request));
            }
            if (random() % 2)
                std::this_thread::sleep_for(std::chrono::microseconds(random() % 300));
        }
        ASSERT_EQ(ends, requests) << "round " << round;
        ASSERT_EQ(afterEnd, 0) << "round " << round;
    }
}

} // namespace
} // namespace maskscope
