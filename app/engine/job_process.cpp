#include "app/engine/job_process.h"

#include "app/engine/exit_status.h"
#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace voxelscribe::engine {

using nlohmann::json;

namespace {

constexpr std::chrono::seconds kPatience{5};  // a cancelled job has so long to stop by itself
constexpr std::size_t kErrorTailBytes = 8192;
constexpr std::size_t kLastLines = 6;

struct Pipe {
    int read = -1;
    int write = -1;
};

Pipe makePipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throwSystemError("cannot start the job", "pipe", errno);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return {ends[0], ends[1]};
}

void closeDescriptor(int& descriptor)
{
    if (descriptor >= 0)
        ::close(descriptor);
    descriptor = -1;
}

/// Turns the forked child into the job. Only async-signal-safe calls.
[[noreturn]] void becomeJob(char* const* words, int output, int error, pid_t parent)
{
    ::setpgid(0, 0); // Ctrl+C in a terminal reaches the one that serves, which then ends its jobs in order
    // A job without its server would go on unseen; its finished chunks stay. SIGKILL also ends one that is paused.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        ::_exit(kExitCancelled);
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(error, STDERR_FILENO);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execv("/proc/self/exe", words);
    constexpr char kWords[] = "the engine's program file cannot be started any more\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kWords, sizeof(kWords) - 1);
    ::_exit(127);
}

std::string signalText(int signal)
{
    const char* advice = signal == SIGKILL ? ", for example by the system because memory ran out; set a lower memory limit and try again" : "";
    return "was ended by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")" + advice;
}

} // namespace

JobProcess::JobProcess(const link::RunRequest& request, Send send)
    : m_id(request.id), m_command(request.command.front()), m_send(std::move(send))
{
    std::vector<std::string> words{"voxelscribe-engine"};
    words.insert(words.end(), request.command.begin(), request.command.end());
    words.insert(words.end(), {"--json", "--events"});
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    Pipe output = makePipe();
    Pipe error = makePipe();
    const pid_t self = ::getpid();
    m_pid = ::fork();
    if (m_pid == 0)
        becomeJob(pointers.data(), output.write, error.write, self);
    closeDescriptor(output.write);
    closeDescriptor(error.write);
    m_output = output.read;
    m_error = error.read;
    if (m_pid < 0) {
        const int reason = errno;
        closeDescriptor(m_output);
        closeDescriptor(m_error);
        throwSystemError("cannot start the job", m_command, reason);
    }
}

JobProcess::~JobProcess()
{
    if (m_pid > 0) {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    closeDescriptor(m_output);
    closeDescriptor(m_error);
}

void JobProcess::readAll(int& descriptor, const std::function<void(std::string_view)>& take)
{
    std::array<char, 65536> bytes{};
    while (descriptor >= 0) {
        const ssize_t count = ::read(descriptor, bytes.data(), bytes.size());
        if (count > 0)
            take({bytes.data(), static_cast<std::size_t>(count)});
        else if (count == 0)
            closeDescriptor(descriptor);
        else if (errno != EINTR)
            return; // nothing more for now
    }
}

void JobProcess::readOutput()
{
    readAll(m_output, [this](std::string_view bytes) { m_lines.add(bytes, [this](std::string_view line) { onLine(line); }); });
}

void JobProcess::readError()
{
    readAll(m_error, [this](std::string_view bytes) {
        m_errorTail.append(bytes);
        if (m_errorTail.size() > kErrorTailBytes)
            m_errorTail.erase(0, m_errorTail.size() - kErrorTailBytes);
    });
}

void JobProcess::onLine(std::string_view line)
{
    json message = json::parse(line, nullptr, false);
    if (!message.is_object()) {
        m_send({{"type", "event"}, {"id", m_id}, {"event", "notice"}, {"text", std::string(line)}});
    } else if (message.contains("event")) {
        message["type"] = "event";
        message["id"] = m_id;
        m_send(message);
    } else if (const auto error = message.find("error"); error != message.end() && error->is_object()) {
        m_failure = *error;
    } else {
        m_result = std::move(message);
    }
}

void JobProcess::signalJob(int signal) const
{
    if (m_pid > 0) // a negative number would reach processes that are none of ours
        ::kill(m_pid, signal);
}

void JobProcess::pause()
{
    signalJob(SIGSTOP);
}

void JobProcess::resume()
{
    signalJob(SIGCONT);
}

void JobProcess::cancel(int signal)
{
    if (!m_cancelledAt)
        m_cancelledAt = std::chrono::steady_clock::now();
    signalJob(signal);
    signalJob(SIGCONT); // one that is paused would not hear of it
}

void JobProcess::enforceCancel()
{
    if (m_cancelledAt && std::chrono::steady_clock::now() - *m_cancelledAt > kPatience)
        signalJob(SIGKILL);
}

bool JobProcess::reap()
{
    int status = 0;
    if (::waitpid(m_pid, &status, WNOHANG) != m_pid)
        return false;
    m_pid = -1;
    readOutput();
    readError();
    sendEnd(status);
    return true;
}

void JobProcess::sendEnd(int status)
{
    const bool exited = WIFEXITED(status);
    if (exited && WEXITSTATUS(status) == kExitGood && m_result.is_object())
        return m_send({{"type", "result"}, {"id", m_id}, {"result", m_result}});
    if (m_cancelledAt || (exited && WEXITSTATUS(status) == kExitCancelled))
        return m_send({{"type", "cancelled"}, {"id", m_id}});
    if (m_failure.is_object())
        return m_send({{"type", "error"}, {"id", m_id}, {"code", m_failure.value("code", "io")}, {"message", m_failure.value("message", "")}});
    const std::string end = exited ? "ended with status " + std::to_string(WEXITSTATUS(status)) + " and without a result"
                                   : signalText(WTERMSIG(status));
    m_send({{"type", "error"}, {"id", m_id}, {"code", "died"},
            {"message", "the job \"" + m_command + "\" " + end + "; what it had finished is kept." + lastWords()}});
}

std::string JobProcess::lastWords() const
{
    std::vector<std::string> lines = split(m_errorTail, '\n');
    std::erase_if(lines, [](const std::string& line) { return line.find_first_not_of(" \r\t") == std::string::npos; });
    if (lines.empty())
        return " It left no last words.";
    std::string words = " Its last words: ";
    for (std::size_t i = lines.size() > kLastLines ? lines.size() - kLastLines : 0; i < lines.size(); ++i)
        words += lines[i] + (i + 1 < lines.size() ? "\n" : "");
    return words;
}

} // namespace voxelscribe::engine
