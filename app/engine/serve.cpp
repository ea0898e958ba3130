#include "app/engine/command.h"
#include "app/engine/job_process.h"
#include "app/engine/job_queue.h"
#include "core/base/error.h"
#include "core/link/line_buffer.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <vector>

namespace voxelscribe::engine {

using nlohmann::json;

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kHeartbeat{1000};
constexpr std::chrono::milliseconds kTick{250};

/// A descriptor that becomes readable when a child ends or somebody asks the program to stop.
class SignalDescriptor {
public:
    SignalDescriptor()
    {
        sigset_t signals;
        sigemptyset(&signals);
        for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP})
            sigaddset(&signals, signal);
        sigprocmask(SIG_BLOCK, &signals, &m_before);
        m_descriptor = ::signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
        if (m_descriptor < 0)
            throwSystemError("cannot serve", "signalfd", errno);
    }
    ~SignalDescriptor()
    {
        ::close(m_descriptor);
        sigprocmask(SIG_SETMASK, &m_before, nullptr);
    }
    SignalDescriptor(const SignalDescriptor&) = delete;
    SignalDescriptor& operator=(const SignalDescriptor&) = delete;

    int descriptor() const { return m_descriptor; }
    /// Takes what has arrived; true if it asks to stop.
    bool takeStop() const
    {
        bool stop = false;
        for (signalfd_siginfo info{}; ::read(m_descriptor, &info, sizeof(info)) == sizeof(info);)
            stop = stop || info.ssi_signo != static_cast<unsigned>(SIGCHLD);
        return stop;
    }

private:
    sigset_t m_before{};
    int m_descriptor = -1;
};

/// Reads requests from standard input and runs them as jobs until the input ends; see core/link/messages.h.
class Server {
public:
    void run()
    {
        send({{"type", "hello"}, {"protocol", link::kProtocol}, {"version", VOXELSCRIBE_VERSION}, {"pid", ::getpid()}});
        while (!m_stopping || !m_jobs.empty()) {
            wait();
            if (m_signals.takeStop())
                stop();
            readRequests();
            collectJobs();
            if (!m_stopping)
                advanceQueue();
            beat();
        }
    }

private:
    void send(const json& message)
    {
        const std::string line = link::toLine(message);
        for (std::size_t sent = 0; sent < line.size() && !m_deaf;) {
            const ssize_t count = ::write(STDOUT_FILENO, line.data() + sent, line.size() - sent);
            if (count >= 0)
                sent += static_cast<std::size_t>(count);
            else if (errno == EAGAIN)
                waitForRoom();
            else if (errno != EINTR)
                m_deaf = true; // nobody listens any more
        }
    }

    /// The descriptor stays blocking: a terminal would pass the other mode on to the shell.
    static bool hasInput()
    {
        pollfd in{STDIN_FILENO, POLLIN, 0};
        return ::poll(&in, 1, 0) > 0;
    }

    static void waitForRoom()
    {
        pollfd out{STDOUT_FILENO, POLLOUT, 0};
        ::poll(&out, 1, static_cast<int>(kHeartbeat.count()));
    }

    void sendError(std::int64_t id, const Error& error)
    {
        send({{"type", "error"}, {"id", id}, {"code", errorCodeName(error.code())}, {"message", error.what()}});
    }

    void wait() const
    {
        std::vector<pollfd> descriptors{{m_signals.descriptor(), POLLIN, 0}};
        if (!m_stopping)
            descriptors.push_back({STDIN_FILENO, POLLIN, 0});
        for (const auto& job : m_jobs)
            for (const int descriptor : {job->outputDescriptor(), job->errorDescriptor()})
                if (descriptor >= 0)
                    descriptors.push_back({descriptor, POLLIN, 0});
        ::poll(descriptors.data(), descriptors.size(), static_cast<int>(kTick.count()));
    }

    void readRequests()
    {
        std::array<char, 65536> bytes{};
        while (!m_stopping && !m_deaf && hasInput()) {
            const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
            if (count > 0)
                m_requests.add({bytes.data(), static_cast<std::size_t>(count)}, [this](std::string_view line) { onRequest(line); });
            else if (count == 0 || errno != EINTR)
                stop(); // the one who asked is gone
        }
        if (m_deaf && !m_stopping)
            stop();
    }

    void onRequest(std::string_view line)
    {
        std::int64_t id = 0;
        try {
            const json message = link::fromLine(line);
            const auto type = message.find("type");
            if (type != message.end() && *type == "quit")
                return stop();
            id = link::jobIdOf(message);
            if (type != message.end() && *type == "run")
                return add(link::runRequestFromJson(message));
            if (type != message.end() && *type == "cancel")
                return cancel(id);
            throw Error(ErrorCode::format, "not a message of this protocol: expected \"type\" run, cancel or quit");
        } catch (const Error& error) {
            // An unknown request must not look like the failure of a job that runs.
            sendError(m_queue.holds(id) ? 0 : id, error);
        }
    }

    void add(link::RunRequest request)
    {
        if (m_queue.holds(request.id))
            throw Error(ErrorCode::format, "there is a job " + std::to_string(request.id) + " already; expected a number not in use");
        if (request.command.front() == "serve")
            throw Error(ErrorCode::format, "a job cannot serve; expected one of the engine's other commands");
        send({{"type", "queued"}, {"id", request.id}});
        m_queue.add(std::move(request));
    }

    void cancel(std::int64_t id)
    {
        if (m_queue.removeWaiting(id))
            send({{"type", "cancelled"}, {"id", id}});
        else if (JobProcess* job = find(id))
            job->cancel(SIGINT);
        // One that is over already has had its last message.
    }

    JobProcess* find(std::int64_t id) const
    {
        const auto found = std::find_if(m_jobs.begin(), m_jobs.end(), [id](const auto& job) { return job->id() == id; });
        return found == m_jobs.end() ? nullptr : found->get();
    }

    void collectJobs()
    {
        for (std::size_t i = 0; i < m_jobs.size();) {
            JobProcess& job = *m_jobs[i];
            job.readOutput();
            job.readError();
            job.enforceCancel();
            if (job.reap()) {
                m_queue.finished(job.id());
                m_jobs.erase(m_jobs.begin() + static_cast<std::ptrdiff_t>(i));
            } else {
                ++i;
            }
        }
    }

    void advanceQueue()
    {
        while (std::optional<link::RunRequest> next = m_queue.nextToStart())
            start(*next);
        if (const std::optional<std::int64_t> id = m_queue.toPause())
            if (JobProcess* job = find(*id); job != nullptr && !job->isCancelled()) {
                job->pause();
                send({{"type", "paused"}, {"id", *id}});
            }
        if (const std::optional<std::int64_t> id = m_queue.toResume())
            if (JobProcess* job = find(*id); job != nullptr && !job->isCancelled()) {
                job->resume();
                send({{"type", "resumed"}, {"id", *id}});
            }
    }

    void start(const link::RunRequest& request)
    {
        try {
            m_jobs.push_back(std::make_unique<JobProcess>(request, [this](const json& message) { send(message); }));
            send({{"type", "started"}, {"id", request.id}, {"pid", m_jobs.back()->pid()}});
        } catch (const Error& error) {
            m_queue.finished(request.id);
            sendError(request.id, error);
        }
    }

    void stop()
    {
        m_stopping = true;
        for (const auto& job : m_jobs)
            job->cancel(SIGTERM);
    }

    void beat()
    {
        if (Clock::now() - m_lastBeat < kHeartbeat)
            return;
        m_lastBeat = Clock::now();
        send({{"type", "heartbeat"}});
    }

    SignalDescriptor m_signals;
    link::LineBuffer m_requests;
    JobQueue m_queue;
    std::vector<std::unique_ptr<JobProcess>> m_jobs;
    Clock::time_point m_lastBeat = Clock::now();
    bool m_stopping = false;
    bool m_deaf = false;
};

class ServeCommand : public Command {
public:
    void declare(CLI::App&) override {}

    json run(const CommonOptions&, Progress&) override
    {
        Server().run();
        return nullptr;
    }
};

} // namespace

std::unique_ptr<Command> makeServe()
{
    return std::make_unique<ServeCommand>();
}

} // namespace voxelscribe::engine
