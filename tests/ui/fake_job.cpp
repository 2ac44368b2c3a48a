// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/fake_job.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace maskscope {

namespace {

using Clock = std::chrono::steady_clock;

// One request on its way: where it is in time and memory, and what it has produced.
class FakeRun {
public:
    FakeRun(const Request& request, const EventSink& sink, const FakeAnswer& answer)
        : m_request(request)
        , m_sink(sink)
        , m_answer(answer)
        , m_report(std::make_shared<Report>())
        , m_start(Clock::now()) {
        m_bytes.at(index(MemoryCategory::Weights)) = FakeModel::kWeights;
    }

    void run() {
        stage(Stage::Image, MemoryCategory::Vision, 8 * FakeModel::kMiB);
        stage(Stage::Vision, MemoryCategory::Vision, FakeModel::kVisionPeak);
        if (m_answer.failure) {
            send(Failed{*m_answer.failure});
            return;
        }
        if (m_request.text.empty()) {
            begin(Stage::Mask);
            const double x = !m_request.points.empty()
                ? m_request.points.front().x
                : (m_request.boxes.front().x0 + m_request.boxes.front().x1) / 2;
            const double y = !m_request.points.empty()
                ? m_request.points.front().y
                : (m_request.boxes.front().y0 + m_request.boxes.front().y1) / 2;
            addMask(x, y, {}, -1);
            end(Stage::Mask);
        } else {
            stage(Stage::Prefill, MemoryCategory::Language, 30 * FakeModel::kMiB);
            decode();
        }
        finish(stopped() ? Outcome::Cancelled : Outcome::Finished);
    }

private:
    static std::size_t index(MemoryCategory category) { return static_cast<std::size_t>(category); }

    bool stopped() const { return m_request.stop.stop_requested(); }

    void rest(std::chrono::milliseconds duration) {
        const auto end = Clock::now() + duration;
        while (Clock::now() < end && !stopped())
            std::this_thread::sleep_for(
                std::min<Clock::duration>(std::chrono::milliseconds(2), end - Clock::now()));
        if (stopped() && !std::exchange(m_wasDeaf, true))
            std::this_thread::sleep_for(m_answer.deafTo);
    }

    double nowMs() const {
        return std::chrono::duration<double, std::milli>(Clock::now() - m_start).count();
    }

    void send(EventPayload payload) { m_sink({m_request.number, nowMs(), std::move(payload)}); }

    void measure() {
        MemorySample sample;
        sample.tMs = nowMs();
        sample.byCategory = m_bytes;
        for (const std::int64_t bytes : m_bytes)
            sample.live += bytes;
        sample.process = FakeModel::kProcess + sample.live;
        for (OpenStage& open : m_open)
            open.most = std::max(open.most, sample.live);
        send(MemoryMeasured{sample});
    }

    /// A layer of each rank: staging stays, the rest comes and goes.
    void measureRanks() {
        const std::size_t count = m_request.settings.attention == AttentionPath::Ring
            ? std::max<std::size_t>(2, m_request.settings.ringDevices.size())
            : 0;
        for (std::size_t rank = 0; rank < count; ++rank) {
            const std::int64_t staging = 2 * FakeModel::kMiB;
            const std::int64_t peak = FakeModel::kRankPeak + std::int64_t(rank) * FakeModel::kMiB;
            for (const std::int64_t live : {std::int64_t(0), peak, staging})
                send(RankMeasured{{nowMs(), int(rank), live, live > 0 ? staging : 0}});
            if (m_report->ranks.size() < count)
                m_report->ranks.push_back({"cpu", peak});
        }
    }

    void begin(Stage stage) {
        send(StageBegan{stage});
        std::int64_t live = 0;
        for (const std::int64_t bytes : m_bytes)
            live += bytes;
        m_open.push_back({live, live});
        measure();
    }

    void end(Stage stage) {
        measure();
        const OpenStage open = m_open.back();
        m_open.pop_back();
        const std::int64_t extra = open.most - open.atBegin;
        std::int64_t& peak = m_report->extraPeakBytes[stage];
        peak = std::max(peak, extra);
        m_report->predictedExtraPeakBytes[stage] = peak + FakeModel::kTooMuch;
        send(StageEnded{stage, 1, extra, FakeModel::kWeights});
    }

    void stage(Stage stage, MemoryCategory category, std::int64_t peak) {
        if (stopped())
            return;
        begin(stage);
        constexpr int kSteps = 20;
        for (int i = 1; i <= kSteps && !stopped(); ++i) {
            m_bytes.at(index(category)) = peak * i / kSteps;
            measure();
            send(StageProgress{stage, static_cast<double>(i) / kSteps});
            rest(m_answer.perStage / kSteps);
        }
        m_bytes.at(index(category)) = peak / 4;
        end(stage);
    }

    void decode() {
        begin(Stage::Decode);
        int position = 0;
        int masks = 0;
        for (const std::string& piece : m_answer.pieces) {
            rest(m_answer.perToken);
            if (stopped())
                break;
            const bool isMask = piece.ends_with("<|mask|>");
            m_bytes.at(index(MemoryCategory::KvCache)) += FakeModel::kMiB / 2;
            measure();
            if (isMask && piece.size() > 8)
                sendToken(position++, piece.substr(0, piece.size() - 8), false);
            sendToken(position, isMask ? "<|mask|>" : piece, isMask);
            if (isMask) {
                begin(Stage::Mask);
                m_bytes.at(index(MemoryCategory::MaskDecoder)) = 24 * FakeModel::kMiB;
                measure();
                measureRanks();
                rest(m_answer.perToken);
                const Image& image = *m_request.images.front();
                const auto count = static_cast<std::size_t>(masks);
                addMask(image.width * (0.3 + 0.4 * (masks % 2)),
                    image.height * (0.42 + 0.2 * (masks % 3)),
                    count < m_answer.labels.size() ? m_answer.labels[count] : std::string("thing"),
                    position);
                ++masks;
                m_bytes.at(index(MemoryCategory::MaskDecoder)) = 0;
                end(Stage::Mask);
            }
            ++position;
        }
        end(Stage::Decode);
    }

    void sendToken(int position, const std::string& text, bool isMask) {
        m_report->tokens.push_back(position);
        m_report->answer += text;
        send(TokenProduced{position, text, position, isMask});
    }

    void addMask(double x, double y, const std::string& label, int tokenIndex) {
        if (stopped())
            return;
        const Image& image = *m_request.images.front();
        const bool last = m_report->masks.size() + 1 == m_answer.labels.size();
        const double scale = m_answer.lastMaskEmpty && last ? 0 : 1;
        Mask mask = ellipse(image.width, image.height, x, y, scale * image.width * 0.22,
            scale * image.height * 0.26);
        mask.label = label;
        mask.score = 0.93F - 0.1F * static_cast<float>(m_report->masks.size());
        mask.index = static_cast<int>(m_report->masks.size());
        mask.tokenIndex = tokenIndex;
        m_report->masks.push_back(std::make_shared<const Mask>(std::move(mask)));
        send(MaskProduced{m_report->masks.back()});
    }

    void finish(Outcome outcome) {
        m_report->outcome = outcome;
        m_report->attention.requested = m_request.settings.attention;
        m_report->attention.used = m_request.settings.attention == AttentionPath::Auto
            ? AttentionPath::Sdpa
            : m_request.settings.attention;
        m_report->kvCache = m_request.settings.kvCache;
        m_report->predictedPeakBytes = FakeModel::kVisionPeak + FakeModel::kTooMuch;
        m_report->timeToFirstTokenMs = 312;
        m_report->tokensPerSecond = 41.5;
        for (int i = 0; m_request.text.empty() && i < m_answer.candidates; ++i) {
            auto candidate = std::make_shared<Mask>(*m_report->masks.front());
            candidate->index = 2 * i; // they need not follow on each other
            m_report->candidates.push_back(std::move(candidate));
        }
        send(Done{m_report});
    }

    const Request& m_request;
    const EventSink& m_sink;
    const FakeAnswer& m_answer;
    std::shared_ptr<Report> m_report;
    struct OpenStage {
        std::int64_t atBegin;
        std::int64_t most;
    };
    std::vector<OpenStage> m_open; // innermost last
    BytesByCategory m_bytes{};
    Clock::time_point m_start;
    bool m_wasDeaf = false;
};

} // namespace

FakeAnswer FakeModel::answer() const {
    const std::lock_guard lock(m_mutex);
    return m_answer;
}

void FakeModel::setAnswer(FakeAnswer answer) {
    const std::lock_guard lock(m_mutex);
    m_answer = std::move(answer);
}

std::vector<Request> FakeModel::requests() const {
    const std::lock_guard lock(m_mutex);
    return m_requests;
}

void FakeModel::run(const Request& request, const EventSink& sink) {
    const FakeAnswer current = answer();
    {
        const std::lock_guard lock(m_mutex);
        m_requests.push_back(request);
    }
    FakeRun(request, sink, current).run();
}

Worker::JobFactory FakeModel::factoryFor(const std::shared_ptr<FakeModel>& model) {
    return [model](const EventSink& sink) {
        sink({0, 0, StageBegan{Stage::Load}});
        sink({0, 1, StageEnded{Stage::Load, 1, kWeights, kWeights}});
        return [model](const Request& request, const EventSink& events) {
            model->run(request, events);
        };
    };
}

Mask ellipse(
    int width, int height, double centreX, double centreY, double radiusX, double radiusY) {
    Mask mask;
    mask.width = width;
    mask.height = height;
    mask.bits.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0);
    int left = width;
    int top = height;
    int right = -1;
    int bottom = -1;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const double dx = (x + 0.5 - centreX) / radiusX;
            const double dy = (y + 0.5 - centreY) / radiusY;
            if (!(dx * dx + dy * dy <= 1))
                continue;
            mask.bits[static_cast<std::size_t>(y) * static_cast<std::size_t>(width)
                + static_cast<std::size_t>(x)]
                = 1;
            ++mask.area;
            left = std::min(left, x);
            top = std::min(top, y);
            right = std::max(right, x);
            bottom = std::max(bottom, y);
        }
    if (mask.area > 0)
        mask.bbox = {left, top, right - left + 1, bottom - top + 1};
    return mask;
}

} // namespace maskscope
