// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine.h"

#include "core/attention/chunk_kernel.h"
#include "core/base/cancelled.h"
#include "core/engine/lens_run.h"
#include "core/engine/machine.h"
#include "core/engine/preflight.h"
#include "core/engine/request_check.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/prepare.h"
#include "core/memory/process.h"
#include "core/memory/rank_sampler.h"
#include "core/memory/sampler.h"
#include "core/ring/process_ranks.h"
#include "core/ring/ring_devices.h"
#include "core/ring/thread_ranks.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <cmath>

namespace maskscope {

namespace {

void useThreads(int threads) {
    static const int kMachine = at::get_num_threads();
    const int wanted = threads > 0 ? threads : kMachine;
    if (at::get_num_threads() != wanted)
        at::set_num_threads(wanted);
}

/// LibTorch unfolds what its convolutions read in half precision on a CPU, so that the model takes
/// nearly twice what bf16 takes, and no preflight could keep its word.
void checkPrecision(Precision precision) {
    if (precision == Precision::Float16)
        throw Failure(ErrorKind::Device,
            "The model is not run in fp16 on a CPU, where it takes more memory than in bf16 and "
            "how "
            "much cannot be told beforehand: choose --dtype bf16 or fp32.");
}

/// Words on a square picture of that many pixels; only its sizes are asked for.
Request ordinaryRequest(std::int64_t pixels) {
    auto image = std::make_shared<Image>();
    image->width = image->height = static_cast<int>(std::sqrt(double(pixels)));
    Request request;
    request.images = {image};
    request.text = "the cat";
    return request;
}

/// The same on a picture of 3:2, which the model sees at that size.
Request wideRequest(std::int64_t pixels) {
    Request request = ordinaryRequest(pixels);
    auto image = std::make_shared<Image>();
    image->width = static_cast<int>(std::sqrt(1.5 * double(pixels)));
    image->height = image->width * 2 / 3;
    request.images = {image};
    request.settings.pixels = pixels;
    return request;
}

AnswerLength longestAnswer(const Request& request) {
    return {request.settings.maxNewTokens, 1};
}

AttentionReport resolved(AttentionPath requested) {
    // On a CPU both sdpa and flash are lean; sdpa takes padding without packing.
    if (requested == AttentionPath::Auto)
        return {requested, AttentionPath::Sdpa, {}};
    return {requested, requested, {}};
}

} // namespace

class Engine::Impl {
public:
    Impl(EngineOptions options, const EventSink& sink)
        : m_options(std::move(options)) {
        if (m_options.device != "cpu")
            throw Failure(ErrorKind::Device,
                "The device " + m_options.device
                    + " is not available: this build runs on the CPU, --device cpu.");
        checkPrecision(m_options.precision);
        installCountingAllocator();
        prepareRequest({});
        useThreads(m_options.threads);
        Emitter emit(0, sink);
        StageRecorder recorder(cpuLedger(), HighWater::Ignored);
        StageTotals totals;
        const MemoryBudget budget(cpuLedger(), limit(m_options.memoryLimit));
        guarded(budget, [&] {
            const StageRun stage(Stage::Load, recorder, emit, totals);
            load(m_options.precision);
            budget.check();
        });
    }

    /// The run of a rank also ends when another one is lost, wherever in it that happens.
    std::shared_ptr<const Report> run(const Request& request, const EventSink& sink) {
        if (!m_processes)
            return runAlone(request, sink);
        Request together = request;
        together.stop = std::stop_source();
        const std::stop_callback follow(
            request.stop.get_token(), [&] { together.stop.request_stop(); });
        m_processes->whenEnded([stop = together.stop]() mutable { stop.request_stop(); });
        return runAlone(together, sink);
    }

    std::shared_ptr<const Report> runAlone(const Request& request, const EventSink& sink) {
        Emitter emit(request.number, sink);
        try {
            auto report = std::make_shared<const Report>(runUnguarded(request, emit));
            m_telemetry.sinkMs = emit.sinkMs();
            m_telemetry.runMs = emit.elapsedMs();
            emit(Done{report});
            return report;
        } catch (const Failure& failure) {
            emit(Failed{failure.error()});
            throw;
        }
    }

    void checkRanks(const RankGrid& grid) const {
        checkHeads(grid, m_model->lens.config().mask.heads);
    }

    void join(std::shared_ptr<ProcessGroup> group) { m_processes = std::move(group); }

    const ModelInfo& info() const { return m_model->info; }
    const TelemetryCost& telemetry() const { return m_telemetry; }

    RunForecast forecast(std::int64_t pixels, AttentionPath path) const {
        const Request request = wideRequest(pixels);
        const Prediction run = predict(*m_model, request, path, {}, longestAnswer(request));
        return {
            path, pixels, run.size.patches(), run.extraPeakBytes.at(Stage::Mask), run.peakBytes};
    }

private:
    static std::optional<std::int64_t> limit(const std::optional<std::int64_t>& asked) {
        return asked ? asked : defaultMemoryLimit(cpuLedger().live());
    }

    /// Turns whatever ends a job into a Failure, after what it held was freed.
    template <class Work>
    static void guarded(const MemoryBudget& budget, Work work) {
        std::optional<Error> error;
        try {
            work();
        } catch (const Cancelled&) {
            throw;
        } catch (...) {
            error = budget.errorOf(std::current_exception());
        }
        if (error)
            throw Failure(std::move(*error));
    }

    void load(Precision precision) {
        const c10::InferenceMode inference;
        m_memory = ImageMemory{};
        m_model.reset();
        m_model.reset(new LensModel(LensModel::load(m_options.model, precision)));
        m_loadedBytes = cpuLedger().live();
        const Request ordinary = ordinaryRequest(m_model->info.trainingPixels);
        m_model->info.predictedPeakBytes
            = predict(*m_model, ordinary, AttentionPath::Sdpa, {}, longestAnswer(ordinary))
                  .peakBytes;
    }

    Report runUnguarded(const Request& request, Emitter& emit) {
        checkRequest(request);
        checkPrecision(request.settings.precision);
        prepareRequest({});
        useThreads(request.settings.threads ? request.settings.threads : m_options.threads);
        m_rankSamplerMs = 0;
        Report report;
        report.attention = resolved(request.settings.attention);
        report.kvCache = request.settings.kvCache;
        report.precision = resolved(request.settings.precision);
        StageTotals totals;
        StageRecorder recorder(cpuLedger(), HighWater::Ignored);
        const auto asked = request.settings.memoryLimit;
        const MemoryBudget budget(cpuLedger(), limit(asked ? asked : m_options.memoryLimit));
        MemorySampler sampler(
            cpuLedger(), [&](const MemorySample& sample) { emit(MemoryMeasured{sample}); },
            emit.start());
        try {
            guarded(budget, [&] { runStages(request, budget, emit, recorder, totals, report); });
        } catch (const Cancelled&) {
            if (m_processes)
                m_processes->check();
            report.outcome = Outcome::Cancelled;
        } catch (const Failure&) {
            m_memory = ImageMemory{};
            throw;
        }
        m_telemetry.samplerMs = sampler.stop() + m_rankSamplerMs;
        report.extraPeakBytes = std::move(totals.extraPeakBytes);
        report.ms = std::move(totals.ms);
        return report;
    }

    void runStages(const Request& request, const MemoryBudget& budget, Emitter& emit,
        StageRecorder& recorder, StageTotals& totals, Report& report) {
        if (!m_model || m_model->precision != report.precision) {
            const StageRun stage(Stage::Load, recorder, emit, totals);
            load(report.precision);
        }
        recorder.markLoaded();
        const std::unique_ptr<Ring> ring = ringFor(request, report);
        RunStart start = startOf(request, {report.attention.used, ring ? ring->ranks() : 0});
        if (ring)
            start.ring = ring->place();
        const Prediction prediction
            = predict(*m_model, request, report.attention.used, start, longestAnswer(request));
        report.predictedPeakBytes = prediction.peakBytes;
        if (request.settings.preflight == Preflight::On)
            refuseIfTooLarge(prediction, m_loadedBytes, cpuLedger().limit());
        std::optional<RankSampler> ranks;
        if (ring)
            ranks.emplace(
                accountsOf(start.ring),
                [&](const RankSample& sample) { emit(RankMeasured{sample}); }, emit.start());
        const c10::InferenceMode inference;
        LensRun(*m_model, m_memory, request, ring.get(), emit, recorder, budget, totals, report)
            .run();
        if (ranks)
            m_rankSamplerMs = ranks->stop();
        if (ring)
            for (const std::int64_t bytes : ring->peakBytes())
                report.ranks.push_back({ring->device(int(report.ranks.size())), bytes});
        const AnswerLength answer{int(report.tokens.size()), int(report.masks.size())};
        report.predictedExtraPeakBytes
            = predict(*m_model, request, report.attention.used, start, answer).extraPeakBytes;
    }

    /// Null for other paths.
    std::unique_ptr<Ring> ringFor(const Request& request, Report& report) const {
        if (report.attention.used != AttentionPath::Ring)
            return nullptr;
        report.attention.reason
            = chunkChoice(chunkKernels(), scalarTypeOf(report.precision)).reason;
        if (m_processes)
            return std::make_unique<ProcessRanks>(*m_processes);
        return std::make_unique<ThreadRanks>(RingSettings{
            checkedRingDevices(request.settings.ringDevices), at::get_num_threads(), 0, {}});
    }

    /// Of the ranks that are in this process.
    static std::vector<RankSampler::Rank> accountsOf(const RingRanks& ring) {
        std::vector<RankSampler::Rank> accounts;
        accounts.reserve(static_cast<std::size_t>(ring.countHere()));
        for (int i = 0; i < ring.countHere(); ++i)
            accounts.push_back({ring.firstHere() + i, rankLedger(i)});
        return accounts;
    }

    /// What the last run left that this one needs.
    RunStart startOf(const Request& request, DecoderWay way) const {
        RunStart start;
        start.threads = at::get_num_threads();
        if (!m_memory.holds(request.images.front(), seenSize(m_model->lens.config(), request)))
            return start;
        start.image = ImageStages::Kept;
        start.keptBytes = cpuLedger().live() - m_loadedBytes;
        if (m_memory.decoderWay)
            start.decoder
                = m_memory.decoderWay == way ? DecoderStages::Kept : DecoderStages::Replaced;
        const ObjectPrompt prompt = promptOf(request, nullptr);
        if (request.text.empty() && m_memory.clicked.leadsTo(prompt, request.meaning, way))
            start.clicks = int(m_memory.clicked.prompt.points.size());
        return start;
    }

    std::shared_ptr<ProcessGroup> m_processes; ///< null: a ring's ranks are threads
    EngineOptions m_options;
    std::unique_ptr<LensModel> m_model;
    ImageMemory m_memory;
    std::int64_t m_loadedBytes = 0; ///< live after loading, in this process
    TelemetryCost m_telemetry;
    double m_rankSamplerMs = 0; ///< of the last run
};

Engine::Engine(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl)) { }

Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::create(
    const EngineOptions& options, const EventSink& sink) {
    try {
        return std::unique_ptr<Engine>(new Engine(std::make_unique<Impl>(options, sink)));
    } catch (const Failure& failure) {
        return failure.error();
    } catch (const std::exception& error) {
        return Error{ErrorKind::Internal, error.what()};
    }
}

Result<std::shared_ptr<const Report>> Engine::run(const Request& request, const EventSink& sink) {
    try {
        return m_impl->run(request, sink);
    } catch (const Failure& failure) {
        return failure.error();
    }
}

void Engine::checkRanks(const RankGrid& grid) const {
    m_impl->checkRanks(grid);
}

void Engine::join(std::shared_ptr<ProcessGroup> group) {
    m_impl->join(std::move(group));
}

const ModelInfo& Engine::info() const {
    return m_impl->info();
}

const TelemetryCost& Engine::telemetry() const {
    return m_impl->telemetry();
}

std::vector<AttentionCapability> Engine::attentionCapabilities() const {
    return describeMachine().attention;
}

std::vector<RunForecast> Engine::forecasts(const std::vector<std::int64_t>& pixels) const {
    std::vector<RunForecast> forecasts;
    for (const AttentionCapability& capability : attentionCapabilities())
        for (const std::int64_t size : pixels)
            if (capability.available && size <= info().mostPixels)
                forecasts.push_back(m_impl->forecast(size, capability.path));
    return forecasts;
}

} // namespace maskscope
