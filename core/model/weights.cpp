// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/weights.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/memory/scope.h"
#include "core/model/checkpoint_files.h"
#include "core/model/dtype.h"
#include "core/model/safetensors.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>

#include <cmath>
#include <cstring>
#include <list>
#include <map>
#include <optional>
#include <set>

namespace maskscope {

namespace {

std::optional<at::ScalarType> scalarTypeOf(Dtype dtype) {
    switch (dtype) {
    case Dtype::F32:
        return at::kFloat;
    case Dtype::F16:
        return at::kHalf;
    case Dtype::BF16:
        return at::kBFloat16;
    case Dtype::F64:
        return at::kDouble;
    default:
        return std::nullopt;
    }
}

/// Depends on the seed and the name alone, so that adding a parameter moves no other.
std::uint64_t seedOf(std::uint64_t seed, std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325ULL ^ seed; // FNV-1a
    for (const char letter : name)
        hash = (hash ^ std::uint64_t(std::uint8_t(letter))) * 0x100000001b3ULL;
    return hash;
}

at::Tensor draw(at::IntArrayRef shape, Init init, std::uint64_t seed) {
    const MemoryScope scope(MemoryCategory::Weights);
    auto tensor = at::empty(shape, at::kFloat);
    auto generator = at::detail::createCPUGenerator(seed);
    switch (init.kind) {
    case Init::Kind::Constant:
        return tensor.fill_(init.value);
    case Init::Kind::Normal:
        return tensor.normal_(0, init.value, generator);
    case Init::Kind::Uniform:
        return tensor.uniform_(-init.value, init.value, generator);
    }
    return tensor;
}

} // namespace

Init Init::fanIn(double inputs) {
    return uniform(std::sqrt(3.0 / inputs));
}

class Weights::Impl {
public:
    enum class Use { Run, Train };

    Impl(const std::vector<std::filesystem::path>& paths, Use use, Mismatch mismatch,
        std::uint64_t seed, at::ScalarType dtype)
        : m_use(use)
        , m_mismatch(mismatch)
        , m_seed(seed)
        , m_dtype(dtype) {
        for (const auto& path : paths) {
            const auto& file = m_files.emplace_back(path);
            for (const auto& stored : file.tensors()) {
                const auto [place, fresh] = m_stored.try_emplace(stored.name, Place{&stored, path});
                if (!fresh)
                    throw Failure(ErrorKind::Model,
                        "Tensor " + stored.name + " is in " + place->second.file.string()
                            + " and in " + path.string() + "; it must be in one file only.");
            }
        }
        m_origin = paths.empty() ? "no file" : paths.front().string();
    }

    at::Tensor take(std::string_view name, at::IntArrayRef shape, Init init) {
        if (!m_names.insert(std::string(name)).second)
            throw Failure(
                ErrorKind::Internal, "Parameter " + std::string(name) + " was asked for twice.");
        auto tensor = stored(std::string(name), shape);
        if (!tensor.defined()) {
            tensor = draw(shape, init, seedOf(m_seed, name));
            m_drawn.emplace_back(name);
        }
        m_taken.emplace_back(name, tensor);
        return tensor;
    }

    void finish() {
        if (m_use == Use::Run && !m_stored.empty())
            throw Failure(ErrorKind::Model,
                m_stored.begin()->second.file.string() + " holds " + std::to_string(m_stored.size())
                    + " tensors that this model has no place for, for example "
                    + m_stored.begin()->first + " "
                    + shapeText(m_stored.begin()->second.tensor->shape)
                    + ". Is config.json the right one?");
        m_stored.clear();
        m_files.clear();
    }

    std::vector<std::pair<std::string, at::Tensor>> m_taken;
    std::vector<std::string> m_drawn;

private:
    struct Place {
        const StoredTensor* tensor;
        std::filesystem::path file;
    };

    /// A copy of the stored tensor; undefined when it is to be drawn.
    at::Tensor stored(const std::string& name, at::IntArrayRef shape) {
        const auto found = m_stored.find(name);
        if (found == m_stored.end()) {
            if (m_use == Use::Train)
                return {};
            throw Failure(ErrorKind::Model,
                "Tensor " + name + " " + shapeText(shape) + " is missing from " + m_origin + ".");
        }
        const auto [tensor, file] = found->second;
        m_stored.erase(found);
        if (at::IntArrayRef(tensor->shape) != shape) {
            if (m_mismatch == Mismatch::Draw)
                return {};
            throw Failure(ErrorKind::Model,
                "Tensor " + name + " in " + file.string() + " has the shape "
                    + shapeText(tensor->shape) + "; the model needs " + shapeText(shape) + ".");
        }
        const auto type = scalarTypeOf(tensor->dtype);
        if (!type)
            throw Failure(ErrorKind::Model,
                "Tensor " + name + " in " + file.string() + " is of type "
                    + std::string(nameOf(tensor->dtype)) + "; F32, F16, BF16 or F64 is needed.");
        const MemoryScope scope(MemoryCategory::Weights);
        auto copy = at::empty(shape, *type);
        if (!tensor->bytes.empty())
            std::memcpy(copy.data_ptr(), tensor->bytes.data(), tensor->bytes.size());
        return copy.to(m_dtype);
    }

    Use m_use;
    Mismatch m_mismatch;
    std::uint64_t m_seed;
    at::ScalarType m_dtype;
    std::string m_origin;
    std::list<SafetensorsFile> m_files; // a list: m_stored points into its elements
    std::map<std::string, Place> m_stored; ///< not asked for yet
    std::set<std::string, std::less<>> m_names;
};

Weights::Weights(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl)) { }
Weights::Weights(Weights&&) noexcept = default;
Weights& Weights::operator=(Weights&&) noexcept = default;
Weights::~Weights() = default;

Weights Weights::fromFolder(const std::filesystem::path& folder, at::ScalarType dtype) {
    return Weights(std::make_unique<Impl>(
        checkpointFiles(folder), Impl::Use::Run, Mismatch::Refuse, 0, dtype));
}

Weights Weights::forTraining(
    const std::vector<std::filesystem::path>& start, Mismatch mismatch, std::uint64_t seed) {
    return Weights(std::make_unique<Impl>(start, Impl::Use::Train, mismatch, seed, at::kFloat));
}

at::Tensor Weights::take(std::string_view name, at::IntArrayRef shape, Init init) {
    return m_impl->take(name, shape, init);
}

void Weights::finish() {
    m_impl->finish();
}

const std::vector<std::pair<std::string, at::Tensor>>& Weights::all() const {
    return m_impl->m_taken;
}

const std::vector<std::string>& Weights::drawn() const {
    return m_impl->m_drawn;
}

} // namespace maskscope
