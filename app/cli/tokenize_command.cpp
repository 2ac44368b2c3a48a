// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tokenize_command.h"

#include "app/resources_folder.h"
#include "core/base/error.h"
#include "core/engine/event_json.h"
#include "core/text/tokenizer.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace maskscope {

namespace {

std::vector<int> idsFrom(const std::string& text) {
    constexpr std::string_view kBetween = " \t\r\n,[]";
    std::vector<int> ids;
    for (std::size_t i = text.find_first_not_of(kBetween); i != std::string::npos;
         i = text.find_first_not_of(kBetween, i)) {
        const std::size_t end = std::min(text.find_first_of(kBetween, i), text.size());
        int id = 0;
        const auto [stop, error] = std::from_chars(text.data() + i, text.data() + end, id);
        if (error != std::errc{} || stop != text.data() + end)
            throw Failure(ErrorKind::Usage,
                "tokenize --decode reads numbers, but \"" + text.substr(i, end - i)
                    + "\" is none: give ids separated by spaces or commas.");
        ids.push_back(id);
        i = end;
    }
    return ids;
}

} // namespace

TokenizeCommand::TokenizeCommand(CLI::App& app)
    : Command(app, "tokenize", "Turn standard input into token ids, or back",
        "printf 'the cat' | maskscope-cli tokenize --json") {
    options()
        .add_option("--model", m_model, "Model folder (default: the shipped one)")
        ->type_name("DIR");
    options().add_flag("--decode", m_decode, "Read ids, write text");
}

int TokenizeCommand::run() const {
    const auto folder = m_model.empty() ? shippedModel() : std::filesystem::path(m_model);
    const Tokenizer tokenizer(folder / "tokenizer.json");
    const std::string input{std::istreambuf_iterator<char>(std::cin), {}};
    if (m_decode) {
        const std::string text = tokenizer.decode(idsFrom(input), ControlTokens::Named);
        std::cout << (json() ? lineOf({{"text", text}}) + "\n" : text);
        return 0;
    }
    const std::vector<int> ids = tokenizer.encode(input, SpecialTokens::AsText);
    if (json()) {
        std::cout << lineOf({{"ids", ids}}) << '\n';
        return 0;
    }
    const char* separator = "";
    for (const int id : ids) {
        std::cout << separator << id;
        separator = " ";
    }
    std::cout << '\n';
    return 0;
}

} // namespace maskscope
