#pragma once

#include "core/link/line_buffer.h"
#include "core/link/messages.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace voxelscribe::engine {

/// A job as a process of its own: this very program with the job's command line. It dies with the one that started it.
class JobProcess {
public:
    using Send = std::function<void(const nlohmann::json& message)>;

    /// Starts it. @throws Error(io) if the system has no process to give.
    JobProcess(const link::RunRequest& request, Send send);
    /// Kills what still runs.
    ~JobProcess();
    JobProcess(const JobProcess&) = delete;
    JobProcess& operator=(const JobProcess&) = delete;

    std::int64_t id() const { return m_id; }
    pid_t pid() const { return m_pid; }
    int outputDescriptor() const { return m_output; }
    int errorDescriptor() const { return m_error; }

    /// Passes on what the job has written so far.
    void readOutput();
    void readError();
    void pause();
    void resume();
    /// Asks the job to stop; a job that does not within a few seconds is killed by `enforceCancel`.
    void cancel(int signal);
    void enforceCancel();
    bool isCancelled() const { return m_cancelledAt.has_value(); }
    /// Collects the process if it has ended. True once it has; the job's last message is then sent.
    bool reap();

private:
    void signalJob(int signal) const;
    void onLine(std::string_view line);
    void readAll(int& descriptor, const std::function<void(std::string_view)>& take);
    void sendEnd(int status);
    std::string lastWords() const;

    std::int64_t m_id;
    std::string m_command;
    Send m_send;
    pid_t m_pid = -1;
    int m_output = -1;
    int m_error = -1;
    link::LineBuffer m_lines;
    std::string m_errorTail;
    nlohmann::json m_result;
    nlohmann::json m_failure;
    std::optional<std::chrono::steady_clock::time_point> m_cancelledAt;
};

} // namespace voxelscribe::engine
