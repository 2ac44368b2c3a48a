// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/child_process.h"

#include "core/base/utf8.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace maskscope {

namespace {

constexpr int kPollMs = 20;
constexpr std::size_t kMostErrors = 4096;

class Descriptor {
public:
    explicit Descriptor(int value = -1)
        : m_value(value) { }
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return m_value; }
    void close() {
        if (m_value >= 0)
            ::close(m_value);
        m_value = -1;
    }

private:
    int m_value;
};

[[noreturn]] void failToStart(const std::filesystem::path& program, int error) {
    throw Failure(
        ErrorKind::Input, program.string() + " cannot be started: " + std::strerror(error) + '.');
}

struct Pipe {
    explicit Pipe(const std::filesystem::path& program)
        : Pipe(opened(program)) { }
    Descriptor read;
    Descriptor write;

private:
    explicit Pipe(const std::array<int, 2>& ends)
        : read(ends[0])
        , write(ends[1]) { }
    static std::array<int, 2> opened(const std::filesystem::path& program) {
        std::array<int, 2> ends{};
        if (pipe2(ends.data(), O_CLOEXEC) != 0)
            failToStart(program, errno);
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        return ends;
    }
};

/// What a child is to be, made before it is forked: it cannot make anything itself.
struct Start {
    const char* program;
    char* const* arguments;
    int out;
    int err;
    pid_t parent;
};

/// Whether `descriptor`, which exec would close, stays open under the number `target`.
bool keepAs(int descriptor, int target) {
    return descriptor == target ? fcntl(target, F_SETFD, 0) == 0 : dup2(descriptor, target) >= 0;
}

/// In the child, which shares its parent's memory: calls nothing but the system. Comes back with
/// the error that keeps the program from running.
int become(const Start& start) {
    // Before the program is there, because its libraries take seconds to load on a busy machine.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != start.parent)
        return ECHILD;
    setpgid(0, 0);
    if (const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); score >= 0)
        (void)!write(score, "1000", 4); // where the system has none, it chooses by itself
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0 || !keepAs(nothing, STDIN_FILENO) || !keepAs(start.out, STDOUT_FILENO)
        || !keepAs(start.err, STDERR_FILENO))
        return errno;
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execve(start.program, start.arguments, environ);
    return errno;
}

pid_t spawn(const std::filesystem::path& program, const std::vector<std::string>& arguments,
    const Pipe& out, const Pipe& err) {
    std::string name = program.string();
    std::vector<std::string> words = arguments;
    std::vector<char*> argv{name.data()};
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    const Start start{name.c_str(), argv.data(), out.write.get(), err.write.get(), getpid()};
    volatile int error = 0; // the child writes it here
    // As posix_spawn does it, which cannot tie the child's life to its parent's: nothing is copied,
    // however large this process is.
    const pid_t child = vfork();
    if (child == 0) {
        error = become(start);
        _exit(127);
    }
    if (child < 0)
        failToStart(program, errno);
    if (error != 0) {
        waitpid(child, nullptr, 0);
        failToStart(program, error);
    }
    return child;
}

/// Appends what is there; false at the end of the stream.
bool drain(int descriptor, std::string& text) {
    std::array<char, 4096> buffer{};
    for (;;) {
        const ssize_t count = read(descriptor, buffer.data(), buffer.size());
        if (count > 0)
            text.append(buffer.data(), static_cast<std::size_t>(count));
        else if (count == 0)
            return false;
        else if (errno != EINTR)
            return errno == EAGAIN;
    }
}

void giveLines(std::string& text, const std::function<void(std::string_view)>& onLine) {
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
        onLine(std::string_view(text).substr(begin, end - begin));
    text.erase(0, begin);
}

/// Ends the child when it goes out of scope before it was waited for.
class Child {
public:
    explicit Child(pid_t id)
        : m_id(id)
        , m_ended(static_cast<int>(syscall(SYS_pidfd_open, id, 0))) { }
    ~Child() {
        if (m_id > 0) {
            kill();
            wait();
        }
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    int ended() const { return m_ended.get(); }
    void kill() const { ::kill(-m_id, SIGKILL); }
    int wait() {
        int status = 0;
        while (waitpid(m_id, &status, 0) < 0 && errno == EINTR) { }
        m_id = 0;
        return status;
    }

private:
    pid_t m_id;
    Descriptor m_ended;
};

} // namespace

ChildEnd runChild(const std::filesystem::path& program, const std::vector<std::string>& arguments,
    const std::function<void(std::string_view)>& onLine, const std::stop_token& stop) {
    Pipe out(program), err(program);
    Child child(spawn(program, arguments, out, err));
    out.write.close();
    err.write.close();
    ChildEnd end;
    std::string lines;
    std::array<pollfd, 3> waiting{
        {{out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}, {child.ended(), POLLIN, 0}}};
    for (bool running = true; running;) {
        poll(waiting.data(), waiting.size(), kPollMs);
        if (stop.stop_requested() && !end.stopped) {
            end.stopped = true;
            child.kill();
        }
        // Asked before reading, so that what is written last is read.
        const bool ended = (waiting[2].revents & POLLIN) != 0;
        if (!drain(out.read.get(), lines))
            waiting[0].fd = -1;
        if (!drain(err.read.get(), end.errors))
            waiting[1].fd = -1;
        if (end.errors.size() > kMostErrors)
            end.errors.erase(0, end.errors.size() - kMostErrors);
        if (!end.stopped)
            giveLines(lines, onLine);
        // A kernel before 5.3 tells of the end by the streams' ends only.
        running = !ended && (child.ended() >= 0 || waiting[0].fd >= 0 || waiting[1].fd >= 0);
    }
    const int status = child.wait();
    if (WIFEXITED(status))
        end.exitCode = WEXITSTATUS(status);
    else
        end.signal = WTERMSIG(status);
    return end;
}

Error errorOfDeath(const ChildEnd& end, const std::string& what) {
    if (end.signal == SIGKILL)
        return {ErrorKind::Memory,
            what
                + ": the system ended its process, as it does when memory runs out. Choose a "
                  "smaller"
                  " size, the attention sdpa, or a memory limit below what is free."};
    std::string errors = end.errors;
    errors.erase(errors.find_last_not_of("\n ") + 1);
    const std::string last = printable(errors.substr(errors.find_last_of('\n') + 1));
    return {ErrorKind::Internal,
        what + ": its process "
            + (end.exitCode ? "ended with code " + std::to_string(*end.exitCode)
                            : "was ended by signal " + std::to_string(end.signal))
            + " without an answer" + (last.empty() ? "." : ", after writing: " + last)};
}

std::filesystem::path thisProgram() {
    const std::filesystem::path self = "/proc/self/exe";
    std::error_code error;
    const auto path = std::filesystem::read_symlink(self, error);
    // One that was replaced since it started, as by an update, is there under this name alone.
    return !error && std::filesystem::exists(path, error) ? path : self;
}

} // namespace maskscope
