// SPDX-License-Identifier: GPL-3.0-or-later
// `audit` as a script sees it.
#include "tests/app/command_line.h"

namespace maskscope {
namespace {

using test::Json;
using test::Outcome;

class AuditCommandLine : public test::CommandLine { };

Json findingsOf(const Outcome& outcome) {
    const auto audits = outcome.events("audit");
    return audits.size() == 1 ? audits[0].at("findings") : Json("no audit");
}

} // namespace

TEST_F(AuditCommandLine, ListsWhatHoldsTheMatrices) {
    const Outcome outcome = run({"audit", "--path", "mha", "--patches", "1024", "--json"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    bool softmax = false, product = false;
    for (const Json& finding : findingsOf(outcome)) {
        softmax = softmax
            || (finding.at("op") == "_masked_softmax"
                && finding.at("shape") == Json({1, 16, 1024, 1024}));
        product = product
            || (finding.at("op") == "bmm" && finding.at("shape") == Json({16, 1024, 1024}));
        EXPECT_EQ(finding.at("bytes"), 67'108'864);
        EXPECT_EQ(finding.at("module"), "attention");
    }
    EXPECT_TRUE(softmax);
    EXPECT_TRUE(product);
    EXPECT_EQ(outcome.events("audit")[0].at("patches"), 1024);
    EXPECT_EQ(outcome.events("audit")[0].at("path"), "mha");
    for (const char* path : {"sdpa", "flash"})
        EXPECT_EQ(findingsOf(run({"audit", "--path", path, "--patches", "1024", "--json"})),
            Json::array())
            << path;
}

TEST_F(AuditCommandLine, RefusesModesInWhichNothingWouldBeFound) {
    for (const char* mode : {"training", "eval-grad", "magic"})
        expectOneSentence(run({"audit", "--mode", mode}), 2);
    const Outcome outcome = run({"audit", "--mode", "training"});
    EXPECT_NE(outcome.err.find("SDPA"), std::string::npos) << outcome.err;
}

TEST_F(AuditCommandLine, PrintsTheMatrixOfModes) {
    const auto rows = run({"audit", "--matrix", "--patches", "256", "--json"}).events("matrix");
    ASSERT_EQ(rows.size(), 6U);
    for (const Json& row : rows)
        EXPECT_EQ(row.at("materialises"), row.at("mode") == "eval" && !row.at("autograd")) << row;
    EXPECT_EQ(run({"audit", "--matrix", "--patches", "256"}).exitCode, 0);
}

TEST_F(AuditCommandLine, ReadsTracesAndModules) {
    const std::string golden = MASKSCOPE_TEST_DATA "/golden/";
    const Json traced = findingsOf(
        run({"audit", "--trace", golden + "audit_trace.json", "--threshold", "64", "--json"}));
    ASSERT_EQ(traced.size(), 2U);
    EXPECT_EQ(traced[0].at("module"), "MultiheadAttention_0");
    const Outcome scripted = run({"audit", "--torchscript", golden + "audit_eval.pt", "--patches",
        "96", "--dim", "32", "--heads", "4", "--json"});
    EXPECT_EQ(scripted.exitCode, 0) << scripted.err;
    EXPECT_FALSE(findingsOf(scripted).empty());
    // One head, that prints; and one that fails for a reason of its own.
    const std::string one = golden + "audit_one_head.pt";
    const Outcome single
        = run({"audit", "--torchscript", one, "--patches", "96", "--dim", "32", "--json"});
    EXPECT_EQ(single.exitCode, 0) << single.err;
    EXPECT_FALSE(findingsOf(single).empty());
    EXPECT_EQ(single.out.find("nobody asked"), std::string::npos) << single.out;
    const Outcome sixteen
        = run({"audit", "--torchscript", one, "--patches", "96", "--dim", "32", "--heads", "16"});
    EXPECT_NE(sixteen.out.find("16 or more matrices of 96 x 96"), std::string::npos)
        << "an all-clear says what was looked for: " << sixteen.out;
    const Outcome failing
        = run({"audit", "--torchscript", one, "--patches", "96", "--dim", "8", "--heads", "8"});
    expectOneSentence(failing, 4);
    EXPECT_NE(failing.err.find("a width of 8 is not for me"), std::string::npos) << failing.err;
    expectOneSentence(run({"audit", "--torchscript", one, "--patches", "96", "--dim", "16"}), 5);
    const Outcome wide = run({"audit", "--trace", golden + "audit_trace.json"});
    EXPECT_NE(wide.out.find("512 x 512 or larger"), std::string::npos) << wide.out;
    for (const char* option : {"--torchscript", "--trace", "--model"})
        expectOneSentence(run({"audit", option, ""}), 2);
    const std::string whole = test::contentOf(golden + "audit_trace.json");
    std::ofstream(m_folder / "cut.json") << whole.substr(0, whole.size() / 2);
    const Outcome cut = run({"audit", "--trace", (m_folder / "cut.json").string()});
    expectOneSentence(cut, 3);
    EXPECT_NE(cut.err.find("cut off"), std::string::npos) << cut.err;
    expectOneSentence(run({"audit", "--torchscript", golden + "audit_training.pt"}), 2);
    expectOneSentence(run({"audit", "--torchscript", golden + "audit_cases.py"}), 4);
    expectOneSentence(run({"audit", "--trace", golden + "audit_cases.py"}), 3);
    expectOneSentence(run({"audit", "--trace", "/no/file"}), 3);
}

TEST_F(AuditCommandLine, NamesWhatItLookedForWhereNothingWasFound) {
    const std::string trace = MASKSCOPE_TEST_DATA "/golden/audit_trace.json";
    // Nobody said that the trace is of 64 patches.
    const Outcome unsaid = run({"audit", "--trace", trace});
    EXPECT_EQ(unsaid.exitCode, 0) << unsaid.err;
    EXPECT_EQ(unsaid.out.find("nothing found"), std::string::npos) << unsaid.out;
    EXPECT_NE(unsaid.out.find("2 or more matrices of 512 x 512 or larger"), std::string::npos)
        << unsaid.out;
    EXPECT_NE(unsaid.out.find("_masked_softmax"), std::string::npos) << unsaid.out;
    const Outcome heads = run({"audit", "--trace", trace, "--patches", "64", "--heads", "16"});
    EXPECT_EQ(heads.out.find("nothing found"), std::string::npos) << heads.out;
    const Json json = run({"audit", "--trace", trace, "--json"}).events("audit").at(0);
    EXPECT_EQ(json.at("findings"), Json::array());
    EXPECT_EQ(json.at("near").size(), 2U);
    EXPECT_EQ(json.at("patches"), nullptr);
    const Outcome lean = run({"audit", "--path", "sdpa", "--patches", "300", "--heads", "8"});
    EXPECT_NE(lean.out.find("nothing found; no operation received or produced 8 or more matrices"
                            " of 300 x 300"),
        std::string::npos)
        << lean.out;
}

TEST_F(AuditCommandLine, RefusesWhatDoesNotFit) {
    expectOneSentence(run({"audit", "--patches", "1024", "--memory-limit", "100MiB"}), 5);
    expectOneSentence(run({"audit", "--model", MASKSCOPE_RESOURCES "/models/lens-small", "--path",
                          "sdpa", "--patches", "384", "--memory-limit", "1MiB"}),
        5);
}

TEST_F(AuditCommandLine, RefusesWhatCannotBeMeant) {
    expectOneSentence(run({"audit", "--threshold", "0"}), 2);
    expectOneSentence(run({"audit", "--threshold", "-1"}), 2);
    expectOneSentence(run({"audit", "--path", "ring"}), 6);
    expectOneSentence(run({"audit", "--path", "magic"}), 2);
    expectOneSentence(run({"audit", "--heads", "7"}), 2);
    expectOneSentence(run({"audit", "--path", "cpp-module", "--dtype", "bf16"}), 2);
}

} // namespace maskscope
