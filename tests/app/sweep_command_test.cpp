// SPDX-License-Identifier: GPL-3.0-or-later
// `sweep` as a script sees it.
#include "core/image/image_reader.h"
#include "tests/app/command_line.h"

#include <chrono>
#include <csignal>
#include <sys/resource.h>
#include <thread>

namespace maskscope {
namespace {

namespace fs = std::filesystem;
using test::Json;
using test::Outcome;

constexpr double kMiB = 1 << 20;

class SweepCommandLine : public test::CommandLine {
protected:
    static const Json& fitOf(const std::vector<Json>& fits, const std::string& path, int degree) {
        for (const Json& fit : fits)
            if (fit.at("path") == path && fit.at("degree") == degree)
                return fit;
        throw std::runtime_error("no fit of " + path);
    }

    /// The process that measures a point for `sweep`, as soon as there is one.
    static pid_t childOf(pid_t sweep) {
        const std::string id = std::to_string(sweep);
        for (;; std::this_thread::sleep_for(std::chrono::milliseconds(2))) {
            std::ifstream file("/proc/" + id + "/task/" + id + "/children");
            pid_t child = 0;
            if (file >> child)
                return child;
        }
    }
};

const std::vector<std::string> kLongSweep{
    "sweep", "--paths", "sdpa", "--patches", "256,8000", "--repeats", "1000", "--json"};

} // namespace

TEST_F(SweepCommandLine, FindsTheLawsOfTheReference) {
    const Outcome outcome = run({"sweep", "--patches", "1024,1280,1536,1792,2048", "--paths",
        "mha,sdpa,flash", "--heads", "16", "--dim", "1024", "--dtype", "fp32", "--threads", "2",
        "--repeats", "1", "--predict", "4096", "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const auto points = outcome.events("point");
    ASSERT_EQ(points.size(), 15U);
    for (const Json& point : points) {
        const double peak = point.at("extra_peak_bytes");
        EXPECT_NEAR(peak, point.at("predicted_bytes"), std::max(0.02 * peak, kMiB)) << point;
        EXPECT_GE(point.at("over_load_bytes"), peak) << point;
        EXPECT_GT(point.at("ms"), 0) << point;
        if (point.at("path") == "mha" && point.at("patches") == 1024) {
            EXPECT_GE(peak, 128 * kMiB);
            EXPECT_LE(peak, 180 * kMiB);
        }
    }
    const auto fits = outcome.events("fit");
    // Two matrices of 16 heads x P x P x 4 bytes.
    EXPECT_NEAR(fitOf(fits, "mha", 2).at("coefficients")[2], 128, 1.28);
    for (const char* path : {"sdpa", "flash"}) {
        const Json& line = fitOf(fits, path, 1);
        EXPECT_GE(line.at("r2"), 0.999) << path;
        EXPECT_LE(line.at("slope_per_1024"), 7 * kMiB) << path;
        EXPECT_EQ(line.at("intercept"), line.at("coefficients")[0]) << path;
    }
    EXPECT_EQ(outcome.events("prediction").size(), 3U);
}

TEST_F(SweepCommandLine, MeasuresARing) {
    const auto sweep = [&](const char* devices) {
        return run({"sweep", "--patches", "64,300,500", "--paths", "ring", "--ring-devices",
            devices, "--heads", "8", "--dim", "256", "--threads", "2", "--json"});
    };
    const auto two = sweep("cpu,cpu").events("point"),
               five = sweep("cpu,cpu,cpu,cpu,cpu").events("point");
    ASSERT_EQ(two.size(), 3U);
    ASSERT_EQ(five.size(), 3U);
    for (const Json& point : two) {
        EXPECT_EQ(point.at("path"), "ring");
        EXPECT_GT(point.at("extra_peak_bytes"), 0);
        EXPECT_EQ(point.at("rank_peak_bytes").size(), 2U);
    }
    EXPECT_NE(five[2].at("predicted_bytes"), two[2].at("predicted_bytes"));
}

TEST_F(SweepCommandLine, PredictsWithoutAPointAndChecksSizesFirst) {
    // Who has no memory for a single point needs predictions most.
    const Outcome none = run({"sweep", "--patches", "1944", "--paths", "mha,sdpa", "--predict",
        "2048", "--memory-limit", "1MiB", "--json"});
    EXPECT_EQ(none.exitCode, 5);
    const auto predictions = none.events("prediction");
    ASSERT_EQ(predictions.size(), 2U);
    EXPECT_GT(predictions[0].at("predicted_bytes"), predictions[1].at("predicted_bytes"));
    EXPECT_TRUE(predictions[0].at("fitted_bytes").is_null());
    for (const char* sizes : {"0", "-1", "9000000000000000000", "64,x", "", "99999999999999999999"})
        for (const char* option : {"--predict", "--patches"}) {
            const Outcome refused = run({"sweep", "--heads", "4", "--dim", "64", "--patches", "64",
                "--paths", "sdpa", std::string(option) + '=' + sizes});
            expectOneSentence(refused, 2);
            EXPECT_EQ(refused.out, "") << "measured before " << option << '=' << sizes;
        }
}

TEST_F(SweepCommandLine, MeasuresOnceWhatIsAskedTwice) {
    const Outcome outcome = run({"sweep", "--patches", "64,64", "--paths", "sdpa,sdpa", "--heads",
        "4", "--dim", "64", "--json"});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_EQ(outcome.events("point").size(), 1U);
}

TEST_F(SweepCommandLine, SaysWhereItWasMeasuredAndWhatItMeans) {
    const Outcome outcome = run({"sweep", "--heads", "4", "--dim", "64", "--patches",
        "64,128,256,512", "--paths", "mha,sdpa,mha", "--threads", "1", "--predict", "1"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    for (const char* part : {"LibTorch", "1 thread", "mha grows with P²",
             "sdpa grows with P:", "At 512 patches mha takes", "over load "})
        EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in\n" << outcome.out;
    EXPECT_EQ(outcome.out.find("sdpa grows with P²"), std::string::npos);
    // A fit says nothing where it would give less than nothing.
    const auto json = run({"sweep", "--json", "--heads", "4", "--dim", "64", "--patches", "64,65",
        "--paths", "mha,mha", "--predict", "1"});
    EXPECT_EQ(json.events("point").size(), 2U) << "a path given twice is measured once";
    ASSERT_EQ(json.events("sweep").size(), 1U);
    EXPECT_NE(json.events("sweep")[0].at("machine").dump().find("LibTorch"), std::string::npos);
    ASSERT_EQ(json.events("prediction").size(), 1U);
    EXPECT_TRUE(json.events("prediction")[0].at("fitted_bytes").is_null());
}

TEST_F(SweepCommandLine, MeasuresTheSameBytesTwice) {
    const auto peaks = [&] {
        std::vector<Json> found;
        for (const Json& point :
            run({"sweep", "--patches", "64,300", "--paths", "mha,sdpa,flash,cpp-module", "--heads",
                    "8", "--dim", "256", "--threads", "2", "--json"})
                .events("point"))
            found.push_back({point.at("path"), point.at("extra_peak_bytes"),
                point.at("over_load_bytes"), point.at("predicted_bytes")});
        return found;
    };
    const auto first = peaks();
    EXPECT_EQ(first.size(), 8U);
    EXPECT_EQ(first, peaks());
}

TEST_F(SweepCommandLine, RefusesWhatDoesNotFitAndPrintsTheRest) {
    const Outcome outcome = run({"sweep", "--patches", "256,32120", "--paths", "mha", "--dtype",
        "bf16", "--memory-limit", "30GiB", "--json"});
    EXPECT_EQ(outcome.exitCode, 5) << outcome.err;
    EXPECT_EQ(outcome.events("point").size(), 1U);
    const auto errors = outcome.events("error");
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].at("kind"), "memory");
    const std::string message = errors[0].at("message");
    EXPECT_NE(message.find("30.75 GiB"), std::string::npos) << message;
    EXPECT_NE(message.find("32120"), std::string::npos) << message;
}

TEST_F(SweepCommandLine, RunsOutOfMemoryWithoutPreflight) {
    const Outcome outcome = run({"sweep", "--patches", "32120", "--paths", "mha", "--dtype", "bf16",
        "--no-preflight", "--memory-limit", "30GiB"});
    expectOneSentence(outcome, 5);
    EXPECT_NE(outcome.err.find("Out of memory"), std::string::npos) << outcome.err;
}

TEST_F(SweepCommandLine, OutlivesAProcessThatTheSystemKills) {
    const pid_t sweep = start(kLongSweep, {});
    const pid_t first = childOf(sweep);
    pid_t child = first;
    while (child == first)
        child = childOf(sweep);
    kill(child, SIGKILL);
    const Outcome outcome = finish(sweep);
    EXPECT_EQ(outcome.exitCode, 5) << outcome.err;
    EXPECT_EQ(outcome.events("point").size(), 1U);
    ASSERT_EQ(outcome.events("error").size(), 1U);
    EXPECT_NE(outcome.err.find("sdpa over 8000 patches"), std::string::npos) << outcome.err;
}

TEST_F(SweepCommandLine, StopsItsProcessesOnInterrupt) {
    const pid_t sweep = start(kLongSweep, {});
    const pid_t child = childOf(sweep);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const auto asked = std::chrono::steady_clock::now();
    kill(sweep, SIGINT);
    const Outcome outcome = finish(sweep);
    EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(2));
    EXPECT_EQ(outcome.exitCode, 130) << outcome.err;
    EXPECT_NE(kill(child, 0), 0) << "the process that measured still runs";
}

TEST_F(SweepCommandLine, KeepsWhatWasFinishedWhenItIsInterrupted) {
    const fs::path csv = m_folder / "sweep.csv";
    std::vector<std::string> call = kLongSweep;
    call.insert(call.end(), {"--plot", csv.string()});
    const pid_t sweep = start(call, {});
    while (test::contentOf(m_folder / "out").find("\"point\"") == std::string::npos)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    kill(sweep, SIGINT);
    EXPECT_EQ(finish(sweep).exitCode, 130);
    EXPECT_NE(test::contentOf(csv).find("\r\nsdpa,256,"), std::string::npos);
}

TEST_F(SweepCommandLine, EndsItsProcessesEvenWhenItIsKilled) {
    const pid_t sweep = start(kLongSweep, {});
    const pid_t child = childOf(sweep);
    kill(sweep, SIGKILL);
    EXPECT_EQ(finish(sweep).exitCode, 1000 + SIGKILL);
    const auto runs = [&] {
        std::ifstream file("/proc/" + std::to_string(child) + "/stat");
        std::string id, name, state;
        return file >> id >> name >> state && state != "Z" && state != "X";
    };
    for (int i = 0; i < 500 && runs(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(runs());
}

TEST_F(SweepCommandLine, DrawsWhatItMeasured) {
    const fs::path svg = m_folder / "sweep.svg", png = m_folder / "sweep.png";
    const fs::path csv = m_folder / "sweep.csv", json = m_folder / "sweep.json";
    std::vector<std::string> call{"sweep", "--patches", "32,64,96", "--paths", "mha,sdpa",
        "--heads", "4", "--dim", "64", "--predict", "12345", "--plot"};
    for (const fs::path& file : {svg, png, csv, json}) {
        call.push_back(file.string());
        EXPECT_EQ(run(call).exitCode, 0);
        expectOneSentence(run(call), 3); // it is there already
        call.pop_back();
    }
    const std::string text = test::contentOf(svg);
    EXPECT_EQ(text.rfind("<svg ", 0), 0U);
    const auto count = [&](const std::string& part) {
        int found = 0;
        for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
            ++found;
        return found;
    };
    EXPECT_EQ(count("<circle"), 2 * 3 + 2); // points and legend
    EXPECT_EQ(count(">mha<"), 1);
    EXPECT_EQ(count("12345 patches, not run, from shapes: mha "), 1);
    EXPECT_EQ(count("LibTorch"), 1);
    const Image image = readImage(png);
    EXPECT_EQ(image.width, 960);
    EXPECT_EQ(Json::parse(test::contentOf(json)).at("points").size(), 6U);
    EXPECT_NE(test::contentOf(csv).find("\r\nsdpa,96,4,64,0,fp32,"), std::string::npos);
    EXPECT_NE(test::contentOf(csv).find("\r\nsdpa,12345,4,64,0,fp32,"), std::string::npos);
    call.push_back((m_folder / "sweep.pdf").string());
    expectOneSentence(run(call), 2);
    for (const fs::path& file : {m_folder / "missing" / "sweep.svg", svg / "sweep.csv"}) {
        call.back() = file.string();
        const Outcome refused = run(call);
        expectOneSentence(refused, 3);
        EXPECT_EQ(refused.out, "") << "told after everything was measured";
    }
}

TEST_F(SweepCommandLine, SaysWhichFileCouldNotBeWrittenToItsEnd) {
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit small{4096, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small); // the program inherits it
    const Outcome outcome = run({"sweep", "--patches", "32", "--paths", "sdpa", "--heads", "4",
        "--dim", "64", "--plot", m_folder / "sweep.png"});
    setrlimit(RLIMIT_FSIZE, &before);
    expectOneSentence(outcome, 3);
    EXPECT_NE(outcome.err.find("sweep.png: File too large"), std::string::npos) << outcome.err;
    for (const auto& entry : fs::directory_iterator(m_folder))
        EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

TEST_F(SweepCommandLine, RefusesWhatCannotBeMeant) {
    expectOneSentence(run({"sweep", "--paths", "ring", "--ring-devices", "cuda:0,cuda:1"}), 6);
    expectOneSentence(run({"sweep", "--device", "cuda:0"}), 6);
    expectOneSentence(run({"sweep", "--paths", "magic"}), 2);
    expectOneSentence(run({"sweep", "--patches", "0"}), 2);
    expectOneSentence(run({"sweep", "--patches", "12,cat"}), 2);
    expectOneSentence(run({"sweep", "--heads", "7"}), 2);
    expectOneSentence(run({"sweep", "--memory-limit", "much"}), 2);
}

} // namespace maskscope
