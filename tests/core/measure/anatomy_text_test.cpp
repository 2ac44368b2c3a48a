// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/anatomy_text.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

/// What the native path holds at P = 1024, 16 heads, width 1024.
Anatomy nativePath() {
    Anatomy anatomy;
    anatomy.patches = 1024;
    anatomy.heads = 16;
    anatomy.tensors = {{"bmm", {16, 1024, 1024}, "fp32", 67'108'864, "attention", 1},
        {"_masked_softmax", {1, 16, 1024, 1024}, "fp32", 67'108'864, "attention", 1},
        {"_transform_bias_rescale_qkv", {3, 1, 16, 1024, 64}, "fp32", 12'582'912, "attention", 1}};
    anatomy.before[std::size_t(MemoryCategory::Weights)] = 16'793'600;
    return anatomy;
}

} // namespace

TEST(AnatomyText, CountsTheMatricesOfTheNativePathTogether) {
    EXPECT_EQ(sentenceOf(nativePath()),
        "2 tensors of 16 x 1024 x 1024 fp32 are 128 MiB of the 140 MiB that the run has made and"
        " not given back: attention's matrices, patches x patches for every head.");
}

TEST(AnatomyText, SaysWhatASquareThatIsNoMatrixIs) {
    Anatomy anatomy = nativePath();
    anatomy.patches = 1000;
    EXPECT_EQ(sentenceOf(anatomy),
        "2 tensors of 16 x 1024 x 1024 fp32 are 128 MiB of the 140 MiB that the run has made and"
        " not given back.");
    anatomy.tensors = {{"mkldnn_linear", {}, {}, 2048, "", 3}};
    EXPECT_EQ(sentenceOf(anatomy),
        "Scratch of mkldnn_linear is 6 KiB of the 6 KiB that the run has made and not given back.");
    anatomy.tensors = {{"add", {1, 7}, "fp32", 28, "", 1}};
    EXPECT_EQ(sentenceOf(anatomy),
        "1 tensor of 7 fp32 is 28 bytes of the 28 bytes that the run has made and not given back.");
    EXPECT_NE(sentenceOf({}).find("No tensor"), std::string::npos);
}

TEST(AnatomyText, WritesALineForEachTensor) {
    Anatomy anatomy = nativePath();
    anatomy.tensors.resize(1);
    anatomy.tensors.front().module = "mask/\"a,b\"";
    anatomy.tensors.front().copies = 2;
    anatomy.unattributed = 5;
    EXPECT_EQ(csvOf(anatomy),
        "op,shape,dtype,bytes,copies,total_bytes,module\n"
        "\"bmm\",\"16 x 1024 x 1024\",\"fp32\",67108864,2,134217728,\"mask/\"\"a,b\"\"\"\n"
        "\"from before\",\"\",\"\",16793600,1,16793600,\"weights\"\n"
        "\"of other threads\",\"\",\"\",5,1,5,\"\"\n");
}

} // namespace maskscope
