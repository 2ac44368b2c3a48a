// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/audit.h"

#include "core/base/error.h"
#include "tests/temporary_folder.h"

#include <ATen/Context.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

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

const AuditFinding* find(const std::vector<AuditFinding>& findings, const std::string& op) {
    const auto found = std::find_if(findings.begin(), findings.end(),
        [&](const AuditFinding& finding) { return finding.op == op; });
    return found == findings.end() ? nullptr : &*found;
}

ErrorKind kindOf(const std::function<void()>& call) {
    try {
        call();
    } catch (const Failure& failure) {
        return failure.kind();
    }
    ADD_FAILURE() << "no failure";
    return ErrorKind::Internal;
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
    const auto native = auditModel(folder, AttentionPath::Mha, 384, Precision::Float32);
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
        EXPECT_TRUE(auditModel(folder, path, 384, Precision::Float32).empty()) << nameOf(path);
}

/// The control: that nothing is found in the language model must not mean that nobody looked.
/// Where its lean kernel is switched off, LibTorch composes attention with all its matrices.
TEST(AuditModel, ListsThePrefillOfTheLanguageModelWhereItMaterialises) {
    const struct LeanKernelOff {
        LeanKernelOff() { at::globalContext().setSDPUseFlash(false); }
        ~LeanKernelOff() { at::globalContext().setSDPUseFlash(true); }
    } off;
    const auto findings = auditModel(
        MASKSCOPE_RESOURCES "/models/lens-small", AttentionPath::Sdpa, 384, Precision::Float32);
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
        EXPECT_EQ(
            kindOf([&] { auditModel(folder, AttentionPath::Sdpa, patches, Precision::Float32); }),
            ErrorKind::Usage)
            << patches;
    EXPECT_EQ(kindOf([] { auditModel("/no/model", AttentionPath::Sdpa, 384, Precision::Float32); }),
        ErrorKind::Model);
}

TEST(AuditTorchScript, RunsTheModuleAndNamesItsOperations) {
    const LayerShape shape = shapeOf(LayerPath::Sdpa, 48, 4, 32);
    const auto findings = auditTorchScript(kGolden + "audit_eval.pt", shape, {48, std::nullopt, 4});
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

TEST(AuditTrace, FindsThePathThatPythonTook) {
    const auto findings = auditTrace(kGolden + "audit_trace.json", {64, std::nullopt, 4});
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(findings[0],
        (AuditFinding{
            "_masked_softmax", {1, 4, 64, 64}, 4 * 64 * 64 * 4, "MultiheadAttention_0", 1}));
    EXPECT_EQ(findings[1],
        (AuditFinding{"bmm", {4, 64, 64}, 4 * 64 * 64 * 4, "MultiheadAttention_0", 1}));
    EXPECT_TRUE(auditTrace(kGolden + "audit_trace.json", {64, std::nullopt, 5}).empty());
    EXPECT_TRUE(auditTrace(kGolden + "audit_trace.json", {128, std::nullopt, 4}).empty());
}

TEST(AuditTrace, RefusesWhatIsNoTraceOrHasNoShapes) {
    const test::TemporaryFolder folder;
    const auto kind = [&](const std::string& text) {
        const auto file = folder.path() / "trace.json";
        std::ofstream(file) << text;
        return kindOf([&] { auditTrace(file, {64, std::nullopt, 1}); });
    };
    for (const char* text : {"", "{", "[]", "{}", R"({"traceEvents":3})", R"({"traceEvents":[]})",
             R"({"traceEvents":[1,{"name":"aten::bmm","args":{}}]})"})
        EXPECT_EQ(kind(text), ErrorKind::Input) << text;
    const auto file = folder.path() / "odd.json";
    std::ofstream(file) << R"({"traceEvents":[{"name":"aten::bmm","args":{"Input Dims":
        [[9223372036854775807,9223372036854775807,64,64],[-4,64,64],["a",64,64],[4,64,64.5],7,
         [[4,64,64]],[3,64,64]],"Input type":[1,2]}}]})";
    const auto findings = auditTrace(file, {64, std::nullopt, 2});
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].shape, (Shape{3, 64, 64}));
}

} // namespace maskscope
