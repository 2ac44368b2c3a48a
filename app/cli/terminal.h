// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace maskscope {

/// 0 done, 2 wrong use, 3 input, 4 model, 5 memory, 6 device, 1 anything else.
int exitCodeOf(ErrorKind kind);
inline constexpr int kInterruptedExitCode = 130;

/// Text of users, files and models made safe for a terminal: control characters other than line
/// breaks and tabs become U+FFFD, so that no escape sequence reaches it.
std::string terminalText(std::string_view text);
/// The same for names and sentences, which stay in one line.
std::string oneLine(std::string_view text);

/// "mha, sdpa, flash".
std::string joined(const std::vector<std::string>& words);

/// Tells an error, of one of the inputs or of the whole call: its sentence on stderr and, with
/// --json, its line on stdout.
void tell(const Error& error, bool json, std::optional<int> image = {});

/// What Ctrl+C asks for.
enum class OnInterrupt {
    Stop, ///< what runs stops and what is finished is kept; the second time the program ends
    End, ///< the program ends at once: what runs cannot stop, and nothing of it would be kept
};

/// Turns Ctrl+C (SIGINT, SIGTERM, SIGHUP) into a stop request or the exit code of one. Made before
/// any other thread, because it blocks the signals for all of them.
class Interrupt {
public:
    explicit Interrupt(OnInterrupt wish = OnInterrupt::Stop);
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    const std::stop_source& stop() const { return m_stop; }

private:
    std::stop_source m_stop;
    std::jthread m_thread;
};

/// A bar on stderr where that is a terminal, nothing elsewhere: how far it is, what is being done,
/// and for how long, which goes on while its owner waits.
class ProgressBar {
public:
    ProgressBar();
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /// `fraction` of all, 0..1, is done, and `part` of it begins or, under the same name, goes on.
    void begin(std::string_view part, double fraction);
    /// What of the part is being done now.
    void show(std::string_view step);
    void clear();

private:
    void tick(const std::stop_token& ending);
    void draw(); ///< under the lock

    const bool m_terminal;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::string m_part;
    std::string m_step;
    double m_fraction = 0;
    std::chrono::steady_clock::time_point m_began; ///< of the part
    bool m_active = false;
    std::jthread m_ticker; ///< last: it uses the others
};

/// "[########        ] mha 3952, 12 s", in a line of a terminal.
std::string progressText(std::string_view what, double fraction, std::chrono::seconds spent);

} // namespace maskscope
