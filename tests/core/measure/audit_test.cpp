// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/audit.h"

#include "core/base/error.h"
#include "tests/temporary_folder.h"

#include <ATen/Context.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <set>

namespace maskscope {
namespace {

using Shape = std::vector<std::int64_t>;

const std::string kGolden = MASKSCOPE_TEST_DATA "/golden/";

LayerShape shapeOf(
    LayerPath path, std::int64_t patches = 256, std::int64_t heads = 4, std::int64_t width = 192) {
    return {path, patches, heads, width, 0, Precision::Float32};
}

RunSettings settingsOf(AttentionPath path) {
    RunSettings settings;
    settings.attention = path;
    settings.precision = Precision::Float32;
    return settings;
}

/// Of a module with that body, which is run on x [1, 24, 8].
FileAudit auditOf(const std::string& body, const AuditRule& rule, const LayerLimits& limits = {}) {
    const test::TemporaryFolder folder;
    const auto file = folder.path() / "module.pt";
    torch::jit::Module module("module");
    module.define("def forward(self, x):\n" + body);
    module.save(file.string());
    return auditTorchScript(file, shapeOf(LayerPath::Sdpa, 24, 2, 8), rule, limits);
}

const AuditFinding* find(const std::vector<AuditFinding>& findings, const std::string& op) {
    const auto found = std::find_if(findings.begin(), findings.end(),
        [&](const AuditFinding& finding) { return finding.op == op; });
    return found == findings.end() ? nullptr : &*found;
}

Error errorOf(const std::function<void()>& call) {
    try {
        call();
    } catch (const Failure& failure) {
        return failure.error();
    }
    ADD_FAILURE() << "no failure";
    return {};
}

ErrorKind kindOf(const std::function<void()>& call) {
    return errorOf(call).kind;
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST(AuditRule, WantsAMatrixForEveryHead) {
    const AuditRule rule{1024, std::nullopt, 16};
    EXPECT_TRUE(rule.matches({1, 16, 1024, 1024}));
    EXPECT_TRUE(rule.matches({16, 1024, 1024}));
    EXPECT_TRUE(rule.matches({2, 8, 1024, 1024}));
    EXPECT_FALSE(rule.matches({1, 1024, 1024})) << "activations as wide as there are patches";
    EXPECT_FALSE(rule.matches({1024, 1024})) << "a weight";
    EXPECT_FALSE(rule.matches({16, 1024, 1023}));
    EXPECT_FALSE(rule.matches({16, 2048, 2048}));
    EXPECT_TRUE((AuditRule{1024, 2000, 16}).matches({16, 2048, 2048}));
    EXPECT_FALSE(rule.matches({0, 1024, 1024}));
    EXPECT_FALSE(rule.matches({}));
}

TEST(AuditRule, KnowsWhatComesNearIt) {
    const AuditRule rule{1024, std::nullopt, 16};
    EXPECT_TRUE(rule.nearlyMatches({1, 1024, 1024})) << "one head";
    EXPECT_TRUE(rule.nearlyMatches({1024, 1024}));
    EXPECT_TRUE(rule.nearlyMatches({16, 1025, 1025})) << "one token more than patches";
    EXPECT_FALSE(rule.nearlyMatches({16, 1024, 1024})) << "it matches";
    EXPECT_FALSE(rule.nearlyMatches({1, 1025, 1025}));
    EXPECT_FALSE(rule.nearlyMatches({16, 64, 64}));
    EXPECT_FALSE(rule.nearlyMatches({0, 1024, 1024}));
    const AuditRule anySide{std::nullopt, 512, 2};
    EXPECT_TRUE(anySide.nearlyMatches({4, 100, 100}));
    EXPECT_FALSE(anySide.nearlyMatches({100, 100})) << "a weight";
    EXPECT_FALSE(anySide.nearlyMatches({768, 3, 3})) << "a kernel";
}

TEST(Audit, RefusesWhatDoesNotFitBeforeItStarts) {
    const Error tooLarge
        = errorOf([] { auditLayer(shapeOf(LayerPath::Mha, 500'000, 16, 768), std::nullopt); });
    EXPECT_EQ(tooLarge.kind, ErrorKind::Memory);
    EXPECT_TRUE(holds(tooLarge.sentence, "mha over 500000 patches needs about 29.1"))
        << tooLarge.sentence;
    EXPECT_TRUE(holds(tooLarge.sentence, "the path sdpa")) << tooLarge.sentence;
    const LayerLimits limited{0, 1 << 20, Preflight::Off};
    const Error refused
        = errorOf([&] { auditLayer(shapeOf(LayerPath::Mha), std::nullopt, limited); });
    EXPECT_EQ(refused.kind, ErrorKind::Memory);
    EXPECT_TRUE(holds(refused.sentence, "mha over 256 patches: Out of memory")) << refused.sentence;
    EXPECT_EQ(kindOf([&] { auditMatrix(shapeOf(LayerPath::Sdpa, 500'000)); }), ErrorKind::Memory);
}

TEST(Audit, ListsTheNativePathAsTheReferenceDoes) {
    const auto findings = auditLayer(shapeOf(LayerPath::Mha, 1024, 16, 768), std::nullopt);
    const AuditFinding* softmax = find(findings, "_masked_softmax");
    ASSERT_TRUE(softmax);
    EXPECT_EQ(softmax->shape, (Shape{1, 16, 1024, 1024}));
    EXPECT_EQ(softmax->bytes, 16LL * 1024 * 1024 * 4);
    EXPECT_EQ(softmax->module, "attention");
    const AuditFinding* product = find(findings, "bmm");
    ASSERT_TRUE(product);
    EXPECT_EQ(product->shape, (Shape{16, 1024, 1024}));
    EXPECT_EQ(product->count, 2) << "scores, and scores times values";
    EXPECT_EQ(findings.size(), 2U);
}

TEST(Audit, ListsTheEncoderLayerTheSameWay) {
    const auto findings = auditLayer(shapeOf(LayerPath::EncoderLayer), std::nullopt);
    EXPECT_TRUE(find(findings, "_masked_softmax"));
    EXPECT_TRUE(find(findings, "bmm"));
}

TEST(Audit, ListsTheModuleOfCppThatAlwaysMaterialises) {
    const auto findings = auditLayer(shapeOf(LayerPath::CppModule), std::nullopt);
    EXPECT_TRUE(find(findings, "_softmax"));
    EXPECT_TRUE(find(findings, "bmm"));
    EXPECT_FALSE(find(findings, "_masked_softmax"));
}

TEST(Audit, FindsNothingInTheLeanPaths) {
    for (const LayerPath path : {LayerPath::Sdpa, LayerPath::Flash}) {
        EXPECT_TRUE(auditLayer(shapeOf(path, 1024, 16, 768), std::nullopt).empty());
        // Weights and activations are square here.
        EXPECT_TRUE(auditLayer(shapeOf(path, 256, 4, 256), 128).empty());
    }
}

TEST(Audit, LooksBehindWhoeverCallsItWithGradientsOn) {
    const c10::AutoGradMode gradients(true);
    EXPECT_TRUE(find(auditLayer(shapeOf(LayerPath::Mha), std::nullopt), "_masked_softmax"));
}

TEST(Audit, RefusesEverythingButProduction) {
    EXPECT_NO_THROW(checkAuditMode(AuditMode::Production));
    EXPECT_EQ(kindOf([] { checkAuditMode(AuditMode::Training); }), ErrorKind::Usage);
    EXPECT_EQ(kindOf([] { checkAuditMode(AuditMode::EvalWithGradients); }), ErrorKind::Usage);
    EXPECT_EQ(auditModeFrom("eval-grad"), AuditMode::EvalWithGradients);
    EXPECT_FALSE(auditModeFrom("Production"));
}

/// The four observations of the reference, and eval with gradients on.
TEST(AuditMatrix, TellsWhyNoTestHadShownIt) {
    const std::vector<AuditRow> rows = auditMatrix(shapeOf(LayerPath::Mha));
    ASSERT_EQ(rows.size(), 6U);
    for (const AuditRow& row : rows) {
        const auto has = [&](const std::string& op) {
            return std::find(row.ops.begin(), row.ops.end(), op) != row.ops.end();
        };
        const bool fast = !row.training && !row.gradients;
        EXPECT_EQ(has("_native_multi_head_attention"), fast);
        EXPECT_EQ(has("bmm"), fast);
        EXPECT_EQ(has("_masked_softmax"), fast && row.masked);
        EXPECT_EQ(has("_softmax"), fast && !row.masked);
        EXPECT_EQ(has("scaled_dot_product_attention"), !fast);
        EXPECT_EQ(row.materialises, fast);
    }
}

TEST(AuditModel, NamesTheLayersOfTheShippedModel) {
    const std::string folder = MASKSCOPE_RESOURCES "/models/lens-small";
    const auto native = auditModel(folder, 384, settingsOf(AttentionPath::Mha));
    std::set<std::string> modules;
    for (const AuditFinding& finding : native) {
        modules.insert(finding.module);
        EXPECT_EQ(finding.shape.back(), 384);
        EXPECT_TRUE(finding.op == "bmm" || finding.op == "_masked_softmax") << finding.op;
    }
    EXPECT_EQ(modules,
        (std::set<std::string>{"mask.context.0.attention", "mask.context.1.attention",
            "mask.blocks.0.attention", "mask.blocks.1.attention"}));
    for (const AttentionPath path : {AttentionPath::Sdpa, AttentionPath::Flash})
        EXPECT_TRUE(auditModel(folder, 384, settingsOf(path)).empty()) << nameOf(path);
}

/// The control: that nothing is found in the language model must not mean that nobody looked.
/// Where its lean kernel is switched off, LibTorch composes attention with all its matrices.
TEST(AuditModel, ListsThePrefillOfTheLanguageModelWhereItMaterialises) {
    const struct LeanKernelOff {
        LeanKernelOff() { at::globalContext().setSDPUseFlash(false); }
        ~LeanKernelOff() { at::globalContext().setSDPUseFlash(true); }
    } off;
    const auto findings = auditModel(
        MASKSCOPE_RESOURCES "/models/lens-small", 384, settingsOf(AttentionPath::Sdpa));
    const auto softmax = std::find_if(findings.begin(), findings.end(), [](const auto& finding) {
        return finding.module == "prefill" && finding.op.ends_with("softmax");
    });
    ASSERT_NE(softmax, findings.end());
    ASSERT_EQ(softmax->shape.size(), 4U);
    const std::int64_t T = softmax->shape[3];
    EXPECT_GE(T, 48) << "the whole prompt at once";
    EXPECT_EQ(softmax->shape, (Shape{1, 6, T, T}));
    EXPECT_EQ(softmax->bytes, 6 * T * T * 4);
}

TEST(AuditModel, RefusesSizesThatNoPictureHas) {
    const std::string folder = MASKSCOPE_RESOURCES "/models/lens-small";
    for (const std::int64_t patches : {0, 1, 4, 1025})
        EXPECT_EQ(kindOf([&] { auditModel(folder, patches, settingsOf(AttentionPath::Sdpa)); }),
            ErrorKind::Usage)
            << patches;
    EXPECT_EQ(kindOf([] { auditModel("/no/model", 384, settingsOf(AttentionPath::Sdpa)); }),
        ErrorKind::Model);
}

TEST(AuditTorchScript, RunsTheModuleAndNamesItsOperations) {
    const LayerShape shape = shapeOf(LayerPath::Sdpa, 48, 4, 32);
    const auto findings
        = auditTorchScript(kGolden + "audit_eval.pt", shape, {48, std::nullopt, 4}).findings;
    const AuditFinding* softmax = find(findings, "softmax");
    ASSERT_TRUE(softmax);
    EXPECT_EQ(softmax->shape, (Shape{1, 4, 48, 48}));
    EXPECT_EQ(softmax->bytes, 4 * 48 * 48 * 4);
    EXPECT_TRUE(find(findings, "matmul"));
    EXPECT_TRUE(find(findings, "masked_fill"));
}

TEST(AuditTorchScript, RefusesTrainingModeAndWhatIsNoModule) {
    const LayerShape shape = shapeOf(LayerPath::Sdpa, 48, 4, 32);
    const AuditRule rule{48, std::nullopt, 4};
    EXPECT_EQ(kindOf([&] { auditTorchScript(kGolden + "audit_training.pt", shape, rule); }),
        ErrorKind::Usage);
    EXPECT_EQ(kindOf([&] { auditTorchScript(kGolden + "audit_cases.py", shape, rule); }),
        ErrorKind::Model);
    EXPECT_EQ(
        kindOf([&] { auditTorchScript(kGolden + "none.pt", shape, rule); }), ErrorKind::Input);
    LayerShape wide = shape;
    wide.width = 64;
    EXPECT_EQ(
        kindOf([&] { auditTorchScript(kGolden + "audit_eval.pt", wide, rule); }), ErrorKind::Model);
}

/// An all-clear that is none would be the worst that an audit can say.
TEST(AuditTorchScript, TellsOfSmallerStacksThanThoseLookedFor) {
    const FileAudit one = auditOf(
        "    return torch.matmul(torch.softmax(torch.matmul(x, x.transpose(1, 2)), -1), x)\n",
        {24, std::nullopt, 2});
    EXPECT_TRUE(one.findings.empty());
    const AuditFinding* softmax = find(one.near, "softmax");
    ASSERT_TRUE(softmax);
    EXPECT_EQ(softmax->shape, (Shape{1, 24, 24}));
    const FileAudit none = auditOf("    return torch.relu(x)\n", {24, std::nullopt, 2});
    EXPECT_TRUE(none.findings.empty());
    EXPECT_TRUE(none.near.empty());
}

TEST(AuditTorchScript, SaysWhyAModuleFailed) {
    const AuditRule rule{24, std::nullopt, 2};
    const Error raised
        = errorOf([&] { auditOf("    assert x.size(0) == 2, 'boom'\n    return x\n", rule); });
    EXPECT_EQ(raised.kind, ErrorKind::Model);
    EXPECT_TRUE(holds(raised.sentence, "boom")) << raised.sentence;
    EXPECT_EQ(raised.sentence.find('\n'), std::string::npos);
    const Error large
        = errorOf([&] { auditOf("    return torch.zeros(1000000, 1000000)\n", rule); });
    EXPECT_EQ(large.kind, ErrorKind::Memory);
    EXPECT_TRUE(holds(large.sentence, "module.pt: Out of memory")) << large.sentence;
}

TEST(AuditTorchScript, DropsWhatTheModulePrints) {
    testing::internal::CaptureStdout();
    auditOf("    print(\"hello\")\n    return x\n", {24, std::nullopt, 2});
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(AuditTrace, FindsThePathThatPythonTook) {
    const auto findings = auditTrace(kGolden + "audit_trace.json", {64, std::nullopt, 4}).findings;
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(findings[0],
        (AuditFinding{
            "_masked_softmax", {1, 4, 64, 64}, 4 * 64 * 64 * 4, "MultiheadAttention_0", 1}));
    EXPECT_EQ(findings[1],
        (AuditFinding{"bmm", {4, 64, 64}, 4 * 64 * 64 * 4, "MultiheadAttention_0", 1}));
    const FileAudit moreHeads = auditTrace(kGolden + "audit_trace.json", {64, std::nullopt, 5});
    EXPECT_TRUE(moreHeads.findings.empty());
    EXPECT_EQ(moreHeads.near, findings);
    const FileAudit otherSide = auditTrace(kGolden + "audit_trace.json", {std::nullopt, 512, 4});
    EXPECT_TRUE(otherSide.findings.empty());
    EXPECT_EQ(otherSide.near, findings);
    EXPECT_TRUE(auditTrace(kGolden + "audit_trace.json", {128, std::nullopt, 4}).findings.empty());
}

TEST(AuditTrace, RefusesWhatIsNoTraceOrHasNoShapes) {
    const test::TemporaryFolder folder;
    const auto error = [&](const std::string& text) {
        const auto file = folder.path() / "trace.json";
        std::ofstream(file) << text;
        return errorOf([&] { auditTrace(file, {64, std::nullopt, 1}); });
    };
    for (const char* text : {"", "{", "[]", "{}", R"({"traceEvents":3})", R"({"traceEvents":[]})",
             R"({"traceEvents":[1,{"name":"aten::bmm","args":{}}]})"})
        EXPECT_EQ(error(text).kind, ErrorKind::Input) << text;
    const Error cut = error(R"({"traceEvents":[{"name":"aten::bmm","args":{"Inpu)");
    EXPECT_EQ(cut.kind, ErrorKind::Input);
    EXPECT_TRUE(holds(cut.sentence, "cut off")) << cut.sentence;
    EXPECT_FALSE(holds(cut.sentence, "no list")) << cut.sentence;
}

TEST(AuditTrace, LooksIntoListsAndCountsSizesThatCannotBe) {
    const test::TemporaryFolder folder;
    const auto audit = [&](const std::string& dims) {
        const auto file = folder.path() / "trace.json";
        std::ofstream(file) << R"({"traceEvents":[{"name":"aten::bmm","args":{"Input Dims":)"
                            << dims << R"(,"Input type":[1,2]}}]})";
        return auditTrace(file, {64, std::nullopt, 2});
    };
    const FileAudit nested = audit("[[],[[4,64,64],[3,2]],[3,64,64]]");
    ASSERT_EQ(nested.findings.size(), 1U);
    EXPECT_EQ(nested.findings[0].shape, (Shape{4, 64, 64})) << "a list of tensors";
    EXPECT_EQ(nested.unreadable, 0);
    for (const char* dims :
        {"\"x\"", "[7]", "[[9223372036854775807,9223372036854775807,64,64]]", "[[-4,64,64]]",
            "[[\"a\",64,64]]", "[[4,64,64.5]]", "[[1e300,64]]", "[[[[4,64,64]]]]"}) {
        const FileAudit odd = audit(dims);
        EXPECT_EQ(odd.unreadable, 1) << dims;
        EXPECT_TRUE(odd.findings.empty()) << dims;
    }
}

} // namespace maskscope
