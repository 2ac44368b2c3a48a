// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/engine/event.h"
#include "core/engine/request.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace maskscope {

class ProcessGroup;
struct RankGrid;

struct EngineOptions {
    std::filesystem::path model; ///< a model folder
    std::string device = "cpu";
    Precision precision = Precision::Auto;
    int threads = 0; ///< 0 = as the machine has
    std::optional<std::int64_t> memoryLimit;
};

/// What a loaded model is.
struct ModelInfo {
    std::string family; ///< config's model_type
    std::string name; ///< the folder's name
    std::string digest; ///< the same only for the same files, see digestOfModel
    std::int64_t parameters = 0;
    std::map<std::string, std::int64_t> parametersByPart; ///< "vision", "language", "mask", …
    std::map<std::string, std::int64_t> bytesByDtype;
    std::int64_t trainingPixels = 0; ///< default for RunSettings::pixels
    std::int64_t mostPixels = 0;
    std::int64_t predictedPeakBytes
        = 0; ///< of words on an image of the default size, mask included
    std::vector<std::string> knownWords; ///< class names the model can find
};

/// What a run would take above the state after loading, foretold from shapes: words on a 3:2
/// picture that the model sees at about so many pixels.
struct RunForecast {
    AttentionPath path = AttentionPath::Sdpa;
    std::int64_t pixels = 0; ///< asked for
    std::int64_t patches = 0; ///< of the picture as the model sees it
    std::int64_t maskBytes = 0; ///< of the mask stage
    std::int64_t peakBytes = 0; ///< of the whole run
};

/// One way to run the mask decoder's attention on this build and machine.
struct AttentionCapability {
    AttentionPath path;
    bool available = false;
    bool returnsLse = false;
    bool materialises = false; ///< holds a P x P matrix per head
    std::string reason; ///< why it is not available
    std::string padding = {}; ///< what becomes of padding: "a mask of true for hidden", …
    std::vector<Precision> precisions = {}; ///< in which it runs here
    std::vector<std::string> devices = {}; ///< on which it runs in this build
};

/// What watching a run took of it: processor time of the memory sampler's thread, and of the sink
/// on the thread that ran.
struct TelemetryCost {
    double samplerMs = 0;
    double sinkMs = 0;
    double runMs = 0; ///< of the whole run, on the clock

    double share() const { return runMs > 0 ? (samplerMs + sinkMs) / runMs : 0; }
};

/// A loaded model that runs requests. Not thread-safe: one thread owns it (see Worker).
class Engine {
public:
    /// Loads the model; emits Load stage events of request 0 to `sink` if it is given.
    static Result<std::unique_ptr<Engine>> create(
        const EngineOptions& options, const EventSink& sink = {});
    ~Engine();

    /// Runs one request to its end, its cancellation or its error. Every event also goes to `sink`,
    /// the last being Done or Failed. Never throws; after a failure the next request runs.
    Result<std::shared_ptr<const Report>> run(const Request& request, const EventSink& sink);

    /// Throws Failure(Usage) where so many ranks cannot share the model's heads.
    void checkRanks(const RankGrid& grid) const;
    /// From now on the ranks of AttentionPath::Ring are the processes of `group`, all of which run
    /// the same requests; checkRanks() has let their grid pass.
    void join(std::shared_ptr<ProcessGroup> group);

    const ModelInfo& info() const;
    /// Of the last run that ended without an error; known when its last event is told.
    const TelemetryCost& telemetry() const;
    std::vector<AttentionCapability> attentionCapabilities() const;
    /// Of every available path over every size, at most what the model accepts.
    std::vector<RunForecast> forecasts(const std::vector<std::int64_t>& pixels) const;

private:
    class Impl;
    explicit Engine(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace maskscope
