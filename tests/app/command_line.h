// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace maskscope::test {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// How the program ended and what it wrote.
struct Outcome {
    int exitCode = -1;
    std::string out;
    std::string err;

    std::vector<Json> events(const std::string& name = {}) const {
        std::vector<Json> found;
        std::istringstream lines(out);
        for (std::string line; std::getline(lines, line);) {
            Json json = Json::parse(line);
            if (name.empty() || json.at("event") == name)
                found.push_back(std::move(json));
        }
        return found;
    }
};

inline std::string contentOf(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Runs the built program as a script does.
class CommandLine : public testing::Test {
protected:
    CommandLine() { fs::create_directories(m_folder); }
    ~CommandLine() override { fs::remove_all(m_folder); }

    pid_t start(std::vector<std::string> arguments, const std::string& input) {
        std::ofstream(m_folder / "in") << input;
        arguments.insert(arguments.begin(), MASKSCOPE_CLI);
        std::vector<char*> argv;
        for (std::string& argument : arguments)
            argv.push_back(argument.data());
        argv.push_back(nullptr);
        const pid_t child = fork();
        if (child == 0) {
            const auto redirect = [&](const char* name, const char* mode, FILE* stream) {
                if (!freopen((m_folder / name).c_str(), mode, stream))
                    _exit(127);
            };
            redirect("in", "r", stdin);
            redirect("out", "w", stdout);
            redirect("err", "w", stderr);
            execv(argv[0], argv.data());
            _exit(127);
        }
        return child;
    }

    Outcome finish(pid_t child) {
        int status = 0;
        waitpid(child, &status, 0);
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status),
            contentOf(m_folder / "out"), contentOf(m_folder / "err")};
    }

    Outcome run(const std::vector<std::string>& arguments, const std::string& input = {}) {
        return finish(start(arguments, input));
    }

    static void expectOneSentence(const Outcome& outcome, int exitCode) {
        EXPECT_EQ(outcome.exitCode, exitCode) << outcome.err;
        EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
        EXPECT_EQ(outcome.err.find("maskscope-cli: "), 0U) << outcome.err;
    }

    fs::path m_folder = fs::path(testing::TempDir())
        / ("command_line_" + std::to_string(getpid()) + '_'
            + testing::UnitTest::GetInstance()->current_test_info()->name());
};

} // namespace maskscope::test
