// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal.h"

#include "core/base/utf8.h"
#include "core/engine/event_json.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include <utility>

namespace maskscope {

namespace {

sigset_t interruptSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    // A terminal that closes ends what runs in it, unless that was started to outlive it (nohup).
    struct sigaction hangUp { };
    if (sigaction(SIGHUP, nullptr, &hangUp) == 0 && hangUp.sa_handler != SIG_IGN)
        sigaddset(&signals, SIGHUP);
    return signals;
}

void waitForSignals(const std::stop_token& ending, const std::stop_source& stop, OnInterrupt wish) {
    const sigset_t signals = interruptSignals();
    constexpr timespec kPoll{0, 20'000'000};
    while (!ending.stop_requested()) {
        if (sigtimedwait(&signals, nullptr, &kPoll) < 0)
            continue;
        if (wish == OnInterrupt::End || stop.stop_requested())
            _exit(kInterruptedExitCode);
        stop.request_stop();
    }
}

} // namespace

int exitCodeOf(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::Usage:
        return 2;
    case ErrorKind::Input:
        return 3;
    case ErrorKind::Model:
        return 4;
    case ErrorKind::Memory:
        return 5;
    case ErrorKind::Device:
        return 6;
    case ErrorKind::Internal:
        break;
    }
    return 1;
}

std::string terminalText(std::string_view text) {
    constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
    std::string safe;
    safe.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
        const bool c1 = byte == 0xC2 && next >= 0x80 && next < 0xA0;
        if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F || c1) {
            safe += kReplacement;
            i += c1 ? 1 : 0;
        } else {
            safe += text[i];
        }
    }
    return safe;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string oneLine(std::string_view text) {
    return printable(text, std::string::npos);
}

void tell(const Error& error, bool json, std::optional<int> image) {
    auto event = jsonOf(error);
    if (image)
        event["image"] = *image;
    if (json)
        std::cout << lineOf(event) << '\n' << std::flush;
    std::cerr << "maskscope-cli: " << oneLine(error.sentence) << '\n';
}

Interrupt::Interrupt(OnInterrupt wish) {
    const sigset_t signals = interruptSignals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    m_thread = std::jthread(waitForSignals, m_stop, wish);
}

Interrupt::~Interrupt() = default;

ProgressBar::ProgressBar()
    : m_terminal(isatty(STDERR_FILENO) == 1) {
    if (m_terminal)
        m_ticker = std::jthread([this](const std::stop_token& ending) { tick(ending); });
}

ProgressBar::~ProgressBar() {
    clear();
}

void ProgressBar::begin(std::string_view part, double fraction) {
    const std::lock_guard lock(m_mutex);
    m_fraction = fraction;
    if (!std::exchange(m_active, true) || m_part != part) {
        m_part = part;
        m_step.clear();
        m_began = std::chrono::steady_clock::now();
    }
    draw();
}

void ProgressBar::show(std::string_view step) {
    const std::lock_guard lock(m_mutex);
    m_step = step;
    draw();
}

void ProgressBar::clear() {
    const std::lock_guard lock(m_mutex);
    if (m_terminal && std::exchange(m_active, false)) {
        std::fputs("\r\033[K", stderr);
        std::fflush(stderr);
    }
}

void ProgressBar::tick(const std::stop_token& ending) {
    constexpr std::chrono::seconds kEvery(1);
    std::unique_lock lock(m_mutex);
    while (!m_changed.wait_for(lock, ending, kEvery, [&] { return ending.stop_requested(); }))
        draw();
}

void ProgressBar::draw() {
    if (!m_terminal || !m_active)
        return;
    const auto spent = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::steady_clock::now() - m_began);
    const std::string text
        = progressText(m_part + (m_step.empty() ? "" : ", " + m_step), m_fraction, spent);
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
    std::fflush(stderr);
}

std::string progressText(std::string_view what, double fraction, std::chrono::seconds spent) {
    constexpr int kWidth = 24;
    constexpr std::size_t kMostLetters = 40; // so that the line fits into 80 columns
    const int filled = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * kWidth);
    std::string text = '[' + std::string(static_cast<std::size_t>(filled), '#')
        + std::string(static_cast<std::size_t>(kWidth - filled), ' ') + "] "
        + printable(what, kMostLetters);
    const auto seconds = spent.count();
    if (seconds >= 120)
        text += ", " + std::to_string(seconds / 60) + " min " + std::to_string(seconds % 60) + " s";
    else if (seconds > 0)
        text += ", " + std::to_string(seconds) + " s";
    return text;
}

} // namespace maskscope
