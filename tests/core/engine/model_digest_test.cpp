// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/model_digest.h"

#include "core/model/safetensors.h"
#include "tests/temporary_folder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace maskscope {
namespace {

class ModelDigest : public testing::Test {
protected:
    ModelDigest() {
        m_folder.write("config.json", "{}");
        m_folder.write("tokenizer.json", "{}");
    }

    /// Of a model whose tensor has these bytes.
    std::string digest(const std::vector<std::byte>& bytes, const char* name = "a") const {
        const std::vector<StoredTensor> tensors{
            {name, Dtype::U8, {std::int64_t(bytes.size())}, bytes}};
        writeSafetensors(m_folder.path() / "model.safetensors", tensors);
        return digestOfModel(m_folder.path());
    }

    test::TemporaryFolder m_folder;
};

TEST_F(ModelDigest, TellsModelsApartByAnyOfTheirFiles) {
    std::vector<std::byte> bytes(1000);
    const std::string before = digest(bytes);
    EXPECT_EQ(digest(bytes), before);
    EXPECT_NE(digest(bytes, "b"), before);
    bytes[777] = std::byte{1};
    EXPECT_NE(digest(bytes), before);
    bytes[777] = std::byte{0};
    m_folder.write("tokenizer.json", "[]");
    EXPECT_NE(digest(bytes), before);
    m_folder.write("tokenizer.json", "{}");
    EXPECT_EQ(digest(bytes), before);
}

TEST_F(ModelDigest, ReadsBlocksOfALargeTensorFromItsBeginToItsEnd) {
    std::vector<std::byte> bytes(1 << 20);
    const std::string before = digest(bytes);
    for (const std::size_t place : {std::size_t(0), bytes.size() / 63, bytes.size() - 1'000}) {
        std::vector<std::byte> other = bytes;
        other[place] = std::byte{1};
        EXPECT_NE(digest(other), before) << place;
    }
}

} // namespace
} // namespace maskscope
