// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/budget.h"

#include "core/base/bytes.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

namespace maskscope {
namespace {

constexpr std::int64_t kMiB = 1024 * 1024;

std::exception_ptr exceptionOf(const char* text) {
    return std::make_exception_ptr(std::runtime_error(text));
}

TEST(MemoryBudget, ARefusalStaysUntilTheNextJobAndNamesTheFigures) {
    const auto ledger = std::make_unique<MemoryLedger>();
    ledger->charge(500 * kMiB, MemoryCategory::Weights);
    {
        const MemoryBudget budget(*ledger, 600 * kMiB);
        EXPECT_NO_THROW(budget.check());
        ledger->charge(3 * 1024 * kMiB / 2, MemoryCategory::Other);
        try {
            budget.check();
            FAIL() << "the refusal was forgotten";
        } catch (const Failure& failure) {
            EXPECT_EQ(failure.kind(), ErrorKind::Memory);
            const std::string& sentence = failure.error().sentence;
            EXPECT_NE(sentence.find("1.5 GiB more"), std::string::npos) << sentence;
            EXPECT_NE(sentence.find("500 MiB were in use"), std::string::npos) << sentence;
            EXPECT_NE(sentence.find("limit is 600 MiB"), std::string::npos) << sentence;
        }
    }
    EXPECT_FALSE(ledger->limit());
    const MemoryBudget next(*ledger, std::nullopt);
    EXPECT_NO_THROW(next.check());
}

TEST(MemoryBudget, TheRefusalExplainsWhateverExceptionCameOfIt) {
    const auto ledger = std::make_unique<MemoryLedger>();
    const MemoryBudget budget(*ledger, 100);
    EXPECT_EQ(budget.errorOf(exceptionOf("first line\nframe #0")).sentence,
        "A defect of this program: first line");
    ledger->charge(200, MemoryCategory::Other);
    EXPECT_EQ(budget.errorOf(exceptionOf("could not create a primitive")).kind, ErrorKind::Memory);
}

TEST(MemoryBudget, TellsTheSystemsRefusalFromTheLimits) {
    const auto ledger = std::make_unique<MemoryLedger>();
    const MemoryBudget budget(*ledger, 100);
    ledger->noteSystemRefusal(50);
    const std::string sentence = budget.errorOf(exceptionOf("")).sentence;
    EXPECT_NE(sentence.find("system gave no more"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("limit"), std::string::npos) << sentence;
}

TEST(BytesText, IsShortAndRounded) {
    EXPECT_EQ(bytesText(0), "0 bytes");
    EXPECT_EQ(bytesText(1), "1 byte");
    EXPECT_EQ(bytesText(1023), "1023 bytes");
    EXPECT_EQ(bytesText(1024), "1 KiB");
    EXPECT_EQ(bytesText(1536), "1.5 KiB");
    EXPECT_EQ(bytesText(kMiB - 1), "1 MiB");
    EXPECT_EQ(bytesText(-3 * kMiB), "-3 MiB");
    EXPECT_EQ(bytesText(16LL * 32120 * 32120 * 2), "30.7 GiB");
    EXPECT_EQ(bytesText(5000LL * 1024 * 1024 * kMiB), "5000 TiB");
}

} // namespace
} // namespace maskscope
