// SPDX-License-Identifier: GPL-3.0-or-later
// The built program as a script sees it: its lines, its files and its exit codes.
#include "core/image/image_reader.h"
#include "core/mask/rle.h"
#include "tests/app/command_line.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace maskscope {
namespace {

namespace fs = std::filesystem;
using test::CommandLine;
using test::Json;
using test::Outcome;

const fs::path kExamples = fs::path(MASKSCOPE_RESOURCES) / "examples";
const std::string kImage = (kExamples / "tea_time.png").string();
const std::string kWords = "segment the cake and the clock";

TEST_F(CommandLine, SegmentsASampleWithEveryEventOfTheContract) {
    const fs::path out = m_folder / "out files";
    const Outcome outcome = run({"segment", kImage, "-p", kWords, "--json", "--out", out.string(),
        "--format", "png,coco", "--seed", "7"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    std::set<std::string> stages;
    for (const Json& stage : outcome.events("stage"))
        stages.insert(stage.at("stage"));
    EXPECT_EQ(
        stages, (std::set<std::string>{"load", "image", "vision", "prefill", "decode", "mask"}));
    EXPECT_FALSE(outcome.events("memory").empty());
    const Json done = outcome.events().back();
    EXPECT_EQ(done.at("event"), "done");
    EXPECT_EQ(done.at("outcome"), "finished");
    EXPECT_EQ(done.at("seed"), 7);
    EXPECT_EQ(done.at("tokens").size(), outcome.events("token").size());
    EXPECT_GT(done.at("telemetry_share"), 0);
    EXPECT_LT(done.at("telemetry_share"), 1) << "how small it is, bench telemetry says";
    const auto masks = outcome.events("mask");
    ASSERT_EQ(done.at("masks"), masks.size());
    ASSERT_FALSE(masks.empty());

    const Mask mask = decodeRle(rleFromJson(masks[0].at("rle"), "The event"));
    EXPECT_EQ(mask.area, masks[0].at("area"));
    EXPECT_EQ(Json(mask.bbox), masks[0].at("bbox"));
    const Image written = readImage(out / "tea_time_1.png");
    ASSERT_EQ(written.width, mask.width);
    ASSERT_EQ(written.height, mask.height);
    for (std::size_t i = 0; i < mask.bits.size(); ++i)
        ASSERT_EQ(written.rgb[3 * i], mask.bits[i] ? 255 : 0);
    EXPECT_TRUE(fs::exists(out / "tea_time_coco.json"));
}

TEST_F(CommandLine, KeepsExistingFilesUnlessForced) {
    const std::vector<std::string> call{
        "segment", kImage, "-p", kWords, "--out", m_folder.string()};
    ASSERT_EQ(run(call).exitCode, 0);
    const Outcome kept = run(call);
    expectOneSentence(kept, 3);
    EXPECT_EQ(kept.out, "") << "told after the computation";
    EXPECT_NE(kept.err.find("--force"), std::string::npos);
    std::vector<std::string> forced = call;
    forced.push_back("--force");
    EXPECT_EQ(run(forced).exitCode, 0);
}

TEST_F(CommandLine, RefusesAnOutputFolderThatIsAFileBeforeAnythingIsRun) {
    std::ofstream(m_folder / "taken") << "text";
    const Outcome outcome
        = run({"segment", kImage, "-p", kWords, "--out", (m_folder / "taken").string()});
    expectOneSentence(outcome, 3);
    EXPECT_EQ(outcome.out, "");
}

TEST_F(CommandLine, WritesItsFilesThoughNobodyReadsItsOutput) {
    const std::string call = std::string(MASKSCOPE_CLI) + " segment '" + kImage + "' -p '" + kWords
        + "' --json --out '" + m_folder.string() + "' 2>/dev/null | head -n 1 >/dev/null";
    ASSERT_EQ(std::system(call.c_str()), 0);
    EXPECT_TRUE(fs::exists(m_folder / "tea_time_index.png"));
}

TEST_F(CommandLine, TellsThatAnAnswerWasCut) {
    const Outcome outcome = run({"segment", kImage, "-p", kWords, "--max-new-tokens", "1"});
    EXPECT_EQ(outcome.exitCode, 0);
    EXPECT_NE(outcome.err.find("--max-new-tokens"), std::string::npos) << outcome.err;
}

TEST_F(CommandLine, RefusesEmptyNames) {
    expectOneSentence(run({"segment", kImage, "-p", kWords, "--out", ""}), 2);
    expectOneSentence(run({"segment", kImage, "-p", kWords, "--model", ""}), 2);
    expectOneSentence(run({"segment", "", "-p", kWords}), 3);
}

TEST_F(CommandLine, HelpOfACommandThatDoesNotExistIsWrongUse) {
    expectOneSentence(run({"segmnet", "--help"}), 2);
}

TEST_F(CommandLine, FindsTheSampleMasks) {
    std::ifstream file(kExamples / "index.json");
    int good = 0;
    for (const Json& entry : Json::parse(file)) {
        const Outcome outcome = run({"segment", (kExamples / entry.at("image")).string(), "-p",
            entry.at("request"), "--json"});
        ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
        double worst = 1;
        for (const std::string name : entry.at("masks")) { // IMAGE_CLASS.png, all of the class
            const Image known = readImage(kExamples / name);
            const auto label = fs::path(name).stem().string().substr(name.rfind('_') + 1);
            std::vector<bool> found(known.rgb.size() / 3);
            for (const Json& event : outcome.events("mask")) {
                const Mask mask = decodeRle(rleFromJson(event.at("rle"), "The event"));
                for (std::size_t i = 0; event.at("label") == label && i < found.size(); ++i)
                    found[i] = found[i] || mask.bits[i];
            }
            std::int64_t both = 0, any = 0;
            for (std::size_t i = 0; i < found.size(); ++i) {
                const bool inside = known.rgb[3 * i] > 127;
                both += inside && found[i];
                any += inside || found[i];
            }
            worst = std::min(worst, double(both) / double(std::max<std::int64_t>(any, 1)));
        }
        RecordProperty(entry.at("image"), std::to_string(worst));
        good += worst >= 0.7;
    }
    EXPECT_GE(good, 4) << "samples whose every mask has an IoU of 0.7 or more";
}

TEST_F(CommandLine, SegmentsOverARingAndTellsWhatItsRanksHeld) {
    const Outcome outcome = run({"segment", kImage, "-p", kWords, "--attention", "ring",
        "--ring-devices", "cpu,cpu,cpu", "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const Json done = outcome.events().back();
    EXPECT_EQ(done.at("attention").at("used"), "ring");
    ASSERT_EQ(done.at("ranks").size(), 3U);
    EXPECT_EQ(done.at("ranks")[0].at("device"), "cpu");
    EXPECT_GT(done.at("ranks")[2].at("peak_bytes"), 0);
    EXPECT_GT(done.at("masks"), 0);
    const Outcome text = run({"segment", kImage, "-p", kWords, "--attention", "ring"});
    EXPECT_NE(text.out.find("together +"), std::string::npos) << text.out;
}

TEST_F(CommandLine, SegmentsClicksAndBoxes) {
    const Outcome click = run({"segment", kImage, "--point", "270,325", "--json"});
    EXPECT_EQ(click.exitCode, 0) << click.err;
    EXPECT_EQ(click.events("mask").size(), 1U);
    EXPECT_TRUE(click.events("token").empty());
    const Outcome boxes
        = run({"segment", kImage, "--box", "190,270,370,383", "--box", "0,210,140,350", "--json"});
    EXPECT_EQ(boxes.exitCode, 0) << boxes.err;
    EXPECT_EQ(boxes.events("mask").size(), 2U);
}

TEST_F(CommandLine, TellsTheKindOfErrorByItsExitCode) {
    expectOneSentence(run({"segment", kImage}), 2);
    expectOneSentence(run({"segment", kImage, "-p", "  "}), 2);
    expectOneSentence(run({"segment", kImage, "-p", kWords, "--attention", "fast"}), 2);
    expectOneSentence(run({"segment", kImage, "-p", kWords, "--point", "9999,1"}), 2);
    expectOneSentence(run({"segment", kImage, "-p", kWords, "--format", "tga"}), 2);
    expectOneSentence(run({"unknown"}), 2);
    expectOneSentence(run({}), 2);
    expectOneSentence(run({"segment", "/no/picture.png", "-p", kWords}), 3);
    expectOneSentence(run({"segment", kImage, "-p", kWords, "--model", "/no/model"}), 4);
    expectOneSentence(run({"segment", kImage, "-p", kWords, "--device", "cuda:0"}), 6);
    const auto ring = [this](const char* devices) {
        return run(
            {"segment", kImage, "-p", kWords, "--attention", "ring", "--ring-devices", devices});
    };
    expectOneSentence(ring("cuda:0,cuda:1"), 6);
    expectOneSentence(ring("cpu,"), 2);
    expectOneSentence(ring("gpu"), 2);
}

TEST_F(CommandLine, NamesBothFiguresWhenTheMemoryIsTooSmall) {
    const std::vector<std::string> call{
        "segment", kImage, "-p", kWords, "--pixels", "0.5M", "--memory-limit", "60MiB"};
    for (const char* option : {"--json", "--no-preflight"}) {
        std::vector<std::string> with = call;
        with.emplace_back(option);
        const Outcome outcome = run(with);
        expectOneSentence(outcome, 5);
        EXPECT_NE(outcome.err.find("60 MiB"), std::string::npos) << outcome.err;
        EXPECT_GE(std::count(outcome.err.begin(), outcome.err.end(), 'M'), 2) << outcome.err;
    }
}

TEST_F(CommandLine, ContinuesAfterAPictureThatCannotBeRead) {
    const fs::path broken = m_folder / "broken.png";
    std::ofstream(broken) << "no picture";
    const Outcome outcome = run({"segment", broken.string(), kImage, "-p", kWords, "--json"});
    EXPECT_EQ(outcome.exitCode, 3);
    ASSERT_EQ(outcome.events("error").size(), 1U);
    EXPECT_EQ(outcome.events("error")[0].at("kind"), "input");
    ASSERT_EQ(outcome.events("done").size(), 1U);
    EXPECT_EQ(outcome.events("done")[0].at("image"), 1);
}

TEST_F(CommandLine, StopsOnInterruptAndKeepsFinishedOutputs) {
    for (const int signal : {SIGINT, SIGHUP}) {
        const fs::path folder = m_folder / std::to_string(signal);
        fs::create_directory(folder);
        std::vector<std::string> call{"segment", "-p", kWords, "--out", folder.string()};
        for (int i = 0; i < 40; ++i) {
            const fs::path copy = folder / ("copy" + std::to_string(i) + ".png");
            fs::copy_file(kImage, copy);
            call.push_back(copy.string());
        }
        const pid_t child = start(call, {});
        while (!fs::exists(folder / "copy0_1.png"))
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        kill(child, signal);
        const Outcome outcome = finish(child);
        EXPECT_EQ(outcome.exitCode, 130) << outcome.err;
        EXPECT_TRUE(fs::exists(folder / "copy0_1.png"));
        EXPECT_FALSE(fs::exists(folder / "copy39_1.png"));
    }
}

TEST_F(CommandLine, TellsALimitOnTheSizeOfFilesAndLeavesNothing) {
    const std::string errors = (m_folder / "errors").string();
    const std::string call = "ulimit -f 1; exec " + std::string(MASKSCOPE_CLI) + " segment '"
        + kImage + "' -p '" + kWords + "' --format overlay --out '" + m_folder.string()
        + "' >/dev/null 2>'" + errors + "'";
    const int status = std::system(call.c_str());
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 3);
    EXPECT_NE(test::contentOf(errors).find("File too large"), std::string::npos);
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()), 1)
        << "more than the errors";
}

TEST_F(CommandLine, TokenizesTypedTextAsText) {
    const Outcome plain = run({"tokenize", "--json"}, "the cat <|mask|>");
    ASSERT_EQ(plain.exitCode, 0) << plain.err;
    const Json ids = Json::parse(plain.out).at("ids");
    std::string typed;
    for (const Json& id : ids)
        typed += std::to_string(id.get<int>()) + ' ';
    EXPECT_EQ(run({"tokenize", "--decode"}, typed).out, "the cat <|mask|>");
    EXPECT_GT(ids.size(), 4U); // the control token's name is letters here
    expectOneSentence(run({"tokenize"}, "\xFF\xFE"), 2);
    expectOneSentence(run({"tokenize", "--decode"}, "12 cat"), 2);
}

TEST_F(CommandLine, InspectsPicturesAndCheckpoints) {
    const Outcome outcome = run({"inspect", kImage,
        (fs::path(MASKSCOPE_RESOURCES) / "models/lens-small/model.safetensors").string(),
        "--pixels", "0,0", "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    std::istringstream lines(outcome.out);
    std::string first, second;
    std::getline(lines, first);
    std::getline(lines, second);
    const Image image = readImage(kImage);
    EXPECT_EQ(Json::parse(first).at("size"), Json::array({image.width, image.height}));
    EXPECT_EQ(Json::parse(first).at("pixels")[0],
        Json::array({image.rgb[0], image.rgb[1], image.rgb[2]}));
    const Json tensors = Json::parse(second).at("tensors");
    EXPECT_GT(tensors.size(), 50U);
    EXPECT_EQ(tensors[0].at("dtype"), "F16");
    expectOneSentence(run({"inspect", "/no/file"}), 3);
}

TEST_F(CommandLine, DescribesMachineAndModel) {
    const Outcome outcome = run({"info", "--model",
        (fs::path(MASKSCOPE_RESOURCES) / "models/lens-small").string(), "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const Json info = Json::parse(outcome.out);
    EXPECT_EQ(info.at("devices")[0].at("name"), "cpu");
    EXPECT_EQ(info.at("attention").size(), 4U);
    EXPECT_GT(info.at("model").at("parameters"), 1'000'000);
    EXPECT_GT(info.at("model").at("predicted_peak_bytes"), 1'000'000);
    EXPECT_FALSE(info.at("model").at("known_words").empty());
}

TEST_F(CommandLine, WarnsOfAPictureFarLargerThanThoseOfTheTraining) {
    const Outcome large = run({"segment", kImage, "-p", kWords, "--pixels", "0.3M", "--json"});
    EXPECT_EQ(large.exitCode, 0) << large.err;
    EXPECT_NE(large.err.find("its answers and masks may be wrong"), std::string::npos) << large.err;
    EXPECT_EQ(run({"segment", kImage, "-p", kWords, "--json"}).err, "");
}

TEST_F(CommandLine, ExplainsItself) {
    for (const std::vector<std::string>& call :
        std::vector<std::vector<std::string>>{{"--help"}, {"segment", "--help"}, {"info", "--help"},
            {"inspect", "--help"}, {"tokenize", "--help"}, {"--version"}}) {
        const Outcome outcome = run(call);
        EXPECT_EQ(outcome.exitCode, 0);
        EXPECT_FALSE(outcome.out.empty());
        if (call.size() == 2) {
            EXPECT_NE(outcome.out.find("Example:"), std::string::npos) << outcome.out;
        }
    }
}

} // namespace
TEST_F(CommandLine, NamesTheOptionAndTheValueThatItCannotTake) {
    const Outcome text = run({"audit", "--heads", "abc"});
    expectOneSentence(text, 2);
    EXPECT_NE(text.err.find("--heads cannot be \"abc\": give a whole number from 1 to "),
        std::string::npos)
        << text.err;
    EXPECT_NE(text.err.find("maskscope-cli audit --help"), std::string::npos) << text.err;
    const Outcome missing = run({"audit", "--model"});
    expectOneSentence(missing, 2);
    EXPECT_NE(missing.err.find("--model needs a value."), std::string::npos) << missing.err;
    for (const char* seed : {"-1", "99999999999999999999", "x"})
        expectOneSentence(run({"segment", "x.jpg", "-p", "a", std::string("--seed=") + seed}), 2);
    for (const char* option : {"--patches", "--heads", "--dim"})
        for (const char* command : {"audit", "anatomy", "sweep"}) {
            const Outcome large = run({command, option, "99999999999999999999"});
            expectOneSentence(large, 2);
            EXPECT_NE(large.err.find("\"99999999999999999999\": give "), std::string::npos)
                << large.err;
        }
    const auto errors = run({"sweep", "--json", "foo"}).events("error");
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].at("kind"), "usage");
}

TEST_F(CommandLine, TakesNothingThatIsGivenEmptyForNotGiven) {
    for (const auto& [command, option] : std::vector<std::pair<std::string, std::string>>{
             {"sweep", "--patches"}, {"sweep", "--paths"}, {"sweep", "--predict"},
             {"sweep", "--plot"}, {"sweep", "--ring-devices"}, {"segment", "--ring-devices"},
             {"segment", "--attention"}, {"segment", "--pixels"}}) {
        std::vector<std::string> call{command, option, ""};
        if (command == "segment")
            call.insert(call.end(), {kImage, "-p", kWords});
        const Outcome outcome = run(call);
        expectOneSentence(outcome, 2);
        EXPECT_NE(outcome.err.find(option + " is given empty."), std::string::npos) << outcome.err;
    }
    const Outcome limit = run({"sweep", "--memory-limit", ""});
    expectOneSentence(limit, 2);
    EXPECT_NE(limit.err.find("--memory-limit cannot be \"\""), std::string::npos) << limit.err;
}

} // namespace maskscope
